import { list, type Preset } from "./Preset.ts"

/** The lines of an invoice; the headings in English, German, French, Dutch, Spanish, Italian, Portuguese. */
export const lineItems: Preset = {
  type: "table",
  unsigned: true,
  columns: {
    description: {
      type: "string",
      term: "BT-153",
      labels: list(`
      Description; Item; Item Description; Product; Product Name; Service; Services; Details;
      Particulars; Goods; Activity; Work; Product Description; Description of Goods; Material;
      Product ID; Item Name; Task; Product / Service; Hours / Description;
      Beschreibung; Bezeichnung; Artikel; Artikelbezeichnung; Artikelbeschreibung; Produkt;
      Leistung; Leistungsbeschreibung; Position; Text; Produktbezeichnung; Warenbezeichnung;
      Désignation; Libellé; Article; Produit; Prestation; Désignation des produits;
      Omschrijving; Beschrijving; Artikelomschrijving; Dienst;
      Descripción; Concepto; Artículo; Producto; Servicio; Detalle;
      Descrizione; Prodotto; Articolo; Servizio; Descrição; Artigo; Produto;
      Item Code / Description; Products; Detail; Charges; Specification; Nazwa towaru lub usługi; Nazwa towaru; Nazwa usługi; Nazwa; Opis; Towar; Towar / usługa; Towar/usługa; Usługa;
      Beskrivning; Benämning; Specifikation; Tjänst; Vara; Beskrivelse; Varebeskrivelse; Tekst; Vare; Ydelse; Betegnelse; Varebetegnelse; Vare/ydelse; Designação; Descrição do artigo; Designación; Dettaglio; Popis; Kuvaus;
      Produit / Service; Nature; Intitulé; Ware; Leistungsart; Dienstleistung;
    `)
    },
    quantity: {
      type: "number",
      term: "BT-129",
      labels: list(`
      Quantity; Qty; Qty.; Units; Hours; Hrs; Count; Pcs; Nights; Quantity Shipped; Hrs/Qty;
      Qty Shipped; Shipped;
      Menge; Anzahl; Stück; Stk; Stunden; Anz.;
      Quantité; Qté; Nombre; Aantal; Hoeveelheid; Stuks; Uren;
      Cantidad; Cant.; Uds; Quantità; Q.tà; Qtà; Quantidade; Qtd;
      Qnty; Quant.; Quant; Mge.; Mge; Einh./Menge; Nb; Nbre; Qtà.; Q.ta; Q.tà.; Aant.; Aant; Unidades; Uds.; Unid; Cantid; Q.de; Qt; Q.; Qt.;
      Ilość; Liczba; Szt.; Antal; Kvantitet; Lev.antal; Levererat antal; Mængde; Stk.; Antall; Timer; Množství; Määrä;
    `)
    },
    unitPrice: {
      type: "money",
      term: "BT-146",
      labels: list(`
      Unit Price; Price; Rate; Unit Cost; Price per Unit; Price Each; Each; Unit; Cost;
      Price/Unit; Rate/Price; Unit Rate; Hourly Rate; U/Price; Net Unit Price;
      Einzelpreis; Preis; Nettopreis; Stückpreis; E-Preis; EP; Preis/Einheit; Einzelpreis netto;
      Einzel; Preis pro Einheit; Stundensatz; Preis/;
      Prix unitaire; Prix unitaire HT; P.U.; PU HT; Prix; Prix u.; P.U. HT;
      Prijs; Stukprijs; Eenheidsprijs; Prijs per stuk; Prijs per eenheid; Tarief;
      Precio unitario; Precio; P. Unitario; P. unit.; Precio unit.;
      Prezzo unitario; Prezzo; P. unitario; Prezzo unit.; Preço unitário; Preço;
      Unit Amount; Unit Net; Einzelpr.; E.-Preis; EPreis; Einzelpreis EUR; Preis je Einheit; VK-Preis; Prix unit. HT; Prix unit.; P.U. net; PU; PUHT; Prix U. HT; Eenheidspr.; Prijs/st; Precio/u; P.U. neto; P.Unit; Prezzo un.; P.U. netto; P. unitário; Preço unit.; Preço un.; P. unit;
      Cena netto; Cena jedn.; Cena jednostkowa; Cena jednostkowa netto; Cena; Cena jedn. netto; À-pris; A-pris; À pris; Pris; Styckpris; Enhetspris; Stykpris; Enhedspris; Pris pr. stk.; Pris/stk; Pris pr. enhed; Pris per enhet; Cena za kus; Hinta;
    `)
    },
    amount: {
      type: "money",
      term: "BT-131",
      labels: list(`
      Amount; Total; Line Total; Total Price; Net Amount; Extended Price; Ext. Price; Subtotal;
      Extended Amount; Extension; Total Amount; Value; Net Value; Net; Sub Total; Total Excl.;
      Betrag; Gesamt; Gesamtpreis; Gesamtbetrag; Summe; Positionsbetrag; G-Preis; GP; Netto;
      Gesamtpreis netto; Positions- betrag; Positions- betrag ohne USt; Nettobetrag; Betrag netto;
      Montant; Montant HT; Total HT; Prix HT; Prix total; Total; Prix total HT;
      Bedrag; Totaal; Prijs incl. BTW; Totaalprijs; Bedrag excl. BTW; Totaal excl. BTW;
      Importe; Importe total; Total; Precio total;
      Importo; Totale; Prezzo totale; Valor; Valor total;
      Line Amount; Line Net; Amt; Sum; Ext Price; Extended; Gesamt netto; Gesamt EUR; Ges.-Preis; Pos.-Betrag; Wert; Montant net; Montant net HT; Total ligne; Mt HT; Prix total; Netto bedrag; Regeltotaal; Bedrag netto; Importe neto; Neto; Imp.; Subtotal; Imponibile; Importo netto; Totale riga; Prezzo tot.; Total líquido; Valor líquido; Montante;
      Wartość netto; Wartość; Kwota; Kwota netto; Wartość brutto; Razem; Belopp; Summa; Radsumma; Totalt; Nettobelopp; Beløb; I alt; Linjebeløb; Linjetotal; Nettobeløb; Sum; Celkem; Yhteensä;
    `)
    }
  }
}
