import { list, type Preset } from "./Preset.ts"
import { lineItems } from "./LineItemPresets.ts"

/** English, German, French, Dutch, Spanish, Italian, Portuguese; the surest label first. */
const number: Preset = {
  type: "identifier",
  term: "BT-1",
  labels: list(`
      Invoice Number; Invoice No; Invoice #; Tax Invoice No; Invoice ID; Invoice Ref; Inv No;
      Invoice Reference; Credit Note Number; Credit Note No; Bill Number; Bill No; Receipt Number;
      Receipt No; Booking ID;
      Rechnungsnummer; Rechnungs-Nr; Rechnung Nr; Rechnung-Nr; Rg-Nr; Re-Nr; RechnungsNr;
      Handelsrechnung Nr; Gutschrift Nr; Gutschriftsnummer; Belegnummer; Beleg-Nr; Schlussrechnung Nr;
      Numéro de facture; N° de facture; Facture N°; No facture; Facture numéro; Référence facture;
      Avoir N°; Numéro d'avoir;
      Factuurnummer; Factuurnr; Factuur nr; Creditnota nummer; Creditfactuurnummer;
      Número de factura; N.º de factura; Factura N.º; Nº factura; Factura número;
      Numero fattura; Fattura n.; N. fattura; Fattura numero; Numero documento;
      Número da fatura; Fatura n.º; Fatura nº;
      Document No; Invoice Nbr; Tax Invoice Number; Bill ID; Our Invoice No; Rechnungs Nummer; Rg.-Nr; Re.-Nr; Rechn.-Nr; Rechnungsbeleg;
      Réf. facture; Référence de facture; Facture no; Numéro d'avoir; Fact.nr; Factuur nummer; Factuur no; Creditnotanummer; Creditnummer;
      Factura núm; Factura nro; Nº de factura; Número factura; Fattura nr; Nr. documento; Nr fattura; Numero della fattura; Numero nota di credito;
      Fatura número; N.º documento; Número do documento; Nota de crédito n.º;
      Numer faktury; Nr faktury; Faktura nr; Faktura VAT nr; Nr dokumentu; Numer dokumentu; Faktura korygująca nr;
      Fakturanummer; Fakturanr; Faktura nummer; Fakt.nr; Kreditfaktura nr; Faktura no; Bilagsnr; Kreditnotanr; Kreditnota nr;
      Číslo faktury; Faktura č.; Laskun numero; Laskunumero;
    `),
  weak: list(`
      Honorarrechnung; Schlussrechnung; Abschlagsrechnung; Teilrechnung; Sammelrechnung; Monatsrechnung; Anzahlungsrechnung;
      Kostenrechnung; Warenrechnung; Stornorechnung; Reparaturrechnung; Handwerkerrechnung; Rechnung / Invoice;
      Invoice; Tax Invoice; Credit Note; Rechnung; Gutschrift; Facture; Avoir; Factuur; Factura; Fattura; Fatura;
      Document Number; Document No; #;
      Número; Numéro; Numero; Numer; Nummer; Nr dok; Faktura; Faktura VAT; Lasku; Tax Invoice #; Kreditnota; Kreditfaktura; Creditnota; Nota de crédito; Nota di credito;
    `),
  not: list(`
      Invoice Date; Invoice Total; Invoice Amount; Invoice To; Invoice Address; Invoice Summary;
      Invoice Currency; Invoice Period; Purchase Order #; PO #; Account #; Customer #; Order #;
      Rechnung an; Rechnung vom; Facture du; Date de facture; Factuur datum; Original invoice number;
      Ursprüngliche Rechnungsnummer; Facture d'origine;
      Numéro de client; Numero cliente; Número de cliente; Numer klienta; Klantnummer; Kundnummer; Kundenummer; Kundennummer; N° client;
      Código de cliente; Codice cliente; Ordernummer; Ordrenummer; Número de pedido; Numer zamówienia; Nr zamówienia; Nr klienta; Número de IVA;
    `)
}

const date: Preset = {
  type: "date",
  recent: true,
  term: "BT-2",
  pick: "first",
  labels: list(`
      Invoice Date; Date of Invoice; Date of Issue; Issue Date; Issued on; Issued; Invoiced on;
      Bill Date; Billing Date; Document Date; Tax Date; Credit Note Date; Receipt Date;
      Rechnungsdatum; Rechnung vom; Datum der Rechnung; Ausstellungsdatum; Belegdatum;
      Rechnung Nr * vom; Rechnung * vom; Rechnung * von; Handelsrechnung Nr * vom; Gutschrift Nr * vom;
      Date de facture; Date de la facture; Date facture; Date de facturation; Date d'émission;
      Facture * du; Date d'avoir; Date avoir;
      Factuurdatum; Datum factuur; Factuur datum;
      Fecha de factura; Fecha factura; Fecha de emisión; Fecha de expedición; Fecha emisión;
      Data fattura; Data della fattura; Data di emissione; Data emissione; Fattura * del;
      Data da fatura; Data de emissão; Invoice * dated; Dated;
      Inv. Date; Date Issued; Invoice Dated; Tax Point; Dated; Rechnungsdat; Re.-Datum; Ausgestellt am; Erstellt am;
      Émise le; Émis le; Établie le; Date de l'avoir; Opgemaakt op; Datum van uitgifte; Fact.datum; Opmaakdatum; Creditdatum;
      Emitida el; Expedida el; Fecha expedición; Fecha documento; Emessa il; Emesso il; Data documento; Data nota di credito;
      Emitida em; Data emissão; Data do documento; Data de emissao;
      Data wystawienia; Data faktury; Wystawiono dnia; Wystawiono; Data wyst; Data dokumentu;
      Fakturadatum; Fakt.datum; Utfärdad; Utfärdandedatum; Fakturadato; Udstedt; Udstedelsesdato; Faktura dato; Utstedt; Utstedelsesdato;
      Fecha de la factura; Datum vystavení; Laskun päiväys;
    `),
  weak: list(`Date; Datum; Fecha; Data; Le; den;
      Dato; Del; Päiväys; vom; du; van; dnia; z dnia; fecha de; daterad; dateret; av den;
    `),
  not: list(`
      Due Date; Payment Date; Delivery Date; Ship Date; Shipping Date; Order Date; Date Due;
      Service Date; PO Date; Date Shipped; Date of Birth; Expiry Date; Start Date; End Date;
      Date Ordered; Date of Supply; Print Date; Statement Date; Quote Date;
      Lieferdatum; Leistungsdatum; Liefer- und Leistungsdatum; Bestelldatum; Fälligkeitsdatum;
      Bestellung vom; Lieferschein vom; Druckdatum; Auftragsdatum; Auftrag vom; Buchungsdatum;
      Date d'échéance; Date échéance; Date de livraison; Date de commande; Date limite; Date de paiement;
      Orderdatum; Besteldatum; Vervaldatum; Leverdatum; Uiterste betaaldatum; Betaaldatum;
      Fecha de vencimiento; Fecha vencimiento; Fecha de entrega; Fecha de pedido;
      Data di scadenza; Data scadenza; Data di consegna; Data ordine; Data de vencimento;
      zu Rechnung * vom; zur Rechnung * vom; zu Rechnung Nr * vom; Bezug Rechnung * vom; Ursprungsrechnung * vom;
      for Invoice * dated; Original Invoice * dated; sur facture * du; Facture d'origine * du; op factuur * van;
      Tax Point Date; Data płatności; Data sprzedaży; Data dostawy; Data zamówienia; Data zapłaty; Förfallodatum; Leveransdatum; Orderdatum;
      Forfaldsdato; Leveringsdato; Ordredato; Betalingsdato; Fecha límite; Fecha límite de pago; Fecha de pago; Data limite; Data di pagamento; Data de pagamento; Datum levering;
    `)
}

const dueDate: Preset = {
  type: "date",
  recent: true,
  term: "BT-9",
  pick: "last",
  labels: list(`
      Due Date; Payment Due Date; Payment Due; Date Due; Due on; Due by; Pay by; Payable by;
      Payment due by; Please pay by; Amount due on; Total amount due on;
      Fälligkeitsdatum; Fällig am; Fällig bis; Fälligkeit; Zahlbar bis; Zahlbar bis zum; Zu zahlen bis;
      Zahlungsziel; netto bis; überweisen Sie bis zum; überweisen Sie bis; bis zum; Zahlung bis;
      Zahlungsfrist; ohne Abzug bis; innerhalb * Tagen bis; innerhalb * Tagen netto bis; ohne Abschlag bis; wird am; Einzug am; Lastschrift am; abgebucht am;
      Date d'échéance; Date échéance; Échéance; À payer avant le; Date limite de paiement; Payable le;
      Vervaldatum; Uiterste betaaldatum; Te betalen voor; Betalen voor; Betaaldatum; Vervaldag;
      Fecha de vencimiento; Fecha vencimiento; Vencimiento; Vence el; Fecha límite de pago;
      Data di scadenza; Data scadenza; Scadenza; Scadenza pagamento; Da pagare entro;
      Data de vencimento; Vencimento; Pagar até;
      Payment Due; Due; Pay before; Terms Due; Payment Date; Payable on; Settlement Date; Fällig; Zahlung fällig am; Zahlung bis spätestens; Zahlungstermin; Valuta;
      À régler avant le; À régler avant; Échéance le; Payable avant le; Payable avant; À payer le; À payer avant; Date de règlement; Règlement avant le;
      Betalen vóór; Te betalen vóór; Vervalt op; Te voldoen voor; Uiterlijk betalen; Betaling voor; Betalen uiterlijk;
      Fecha vto; Vto; Pagar antes del; Pagar antes de; Fecha de pago; Vence; Vencimento; Data limite de pagamento; Prazo de pagamento; Vence em; Data limite; Pagamento até;
      Pagamento entro il; Pagamento entro; Entro il; Scade il; Data di pagamento; Scad.;
      Termin płatności; Termin zapłaty; Płatne do; Data płatności; Zapłata do dnia; Zapłata do; Do zapłaty do;
      Förfallodatum; Förfallodag; Förfaller; Betalas senast; Oss tillhanda senast; Oss tillhanda; Att betala senast; Sista betalningsdag;
      Forfaldsdato; Forfalder; Betales senest; Betalingsfrist; Sidste rettidige betaling; Sidste betalingsdag; Forfallsdato; Betalingsforfall; Betalingsdato;
      Datum splatnosti; Splatnost; Eräpäivä;
    `),
  weak: list(`Terms; Zahlung; Paiement; Pagamento; Pago; Betaling; Betalning; Płatność; Vto;`),
  not: ["Skonto bis", "Skonto innerhalb * Tagen bis", "Amount Due", "Balance Due", "Total Due"]
}

const vendorName: Preset = {
  type: "string",
  finder: "seller",
  term: "BT-27",
  labels: list(`
      Verkauft von; Verkauft durch; Vendu par; Vendido por; Venduto da; Verkocht door; Sprzedane przez;
      Seller; Vendor; Supplier; Sold by; Issued by; Service Provider; Remit to; Payable to;
      From; Billed by; Bill from; Make checks payable to; Company Name; Beneficiary; Merchant;
      Verkäufer; Rechnungsersteller; Rechnungssteller; Lieferant; Leistungserbringer; Absender;
      Vendeur; Émetteur; Fournisseur; Prestataire;
      Verkoper; Leverancier; Afzender;
      Vendedor; Emisor; Proveedor; Venditore; Fornitore; Cedente; Mittente; Fornecedor; Emitente;
      Rechnung von; Facture de; Emis par; Émis par; Van; Verzender; Sprzedawca; Wystawca; Dostawca; Säljare; Leverantör; Från; Sælger; Leverandør; Fra; Selger; Emitido por; Emesso da; Prestatore; Dati del fornitore; Datos del emisor;
    `),
  not: list(`
      Bill to; Billed to; Bill to Address; Invoice to; Invoiced to; Sold to; Ship to; Deliver to;
      Customer; Client; Buyer; Attn; Attention; Delivery Address; Billing Address; Guest Name;
      Invoice Address; Shipping Address; Customer Name; To;
      Käufer; Rechnungsempfänger; Kunde; Empfänger; Leistungsempfänger; Lieferadresse; An;
      Käufer/Leistungsempfänger; Rechnungsadresse; Lieferanschrift; Rechnungsanschrift; Warenempfänger;
      Acheteur; Adresse de livraison; Adresse de facturation; Facturé à; Destinataire; Livré à;
      Klant; Koper; Factuuradres; Afleveradres; Bezorgadres; Aan;
      Cliente; Comprador; Facturar a; Enviar a; Acquirente; Destinatario; Cessionario; Spett.le;
      Rechnungsempfänger; Afnemer; Faktureras till; Fakturaadress; Kund; Köpare; Leveransadress; Faktureres til; Fakturaadresse; Kunde; Køber; Leveringsadresse;
      Nabywca; Odbiorca; Klient; Datos del cliente; Dati del cliente; Fatturare a; Intestatario; Faturar a; Exmo.(s) Sr.(s); Exmos Srs; Adresse de facturation; Destinatário; Factuur aan; Client facturé;
    `)
}

const currency: Preset = {
  type: "currency",
  finder: "currency",
  term: "BT-5",
  labels: list(`
      Currency; Invoice Currency; All amounts in; Amounts in; Währung; Rechnungswährung; Beträge in;
      Alle Beträge in; Devise; Monnaie; Montants en; Valuta; Munteenheid; Bedragen in; Moneda;
      Divisa; Importi in; Moeda;
      Waluta; Valutakode; Valutakod; Měna;
    `)
}

/** `invoice` or `credit-note`: by the title of the document. */
const documentType: Preset = {
  type: "string",
  finder: "kind",
  term: "BT-3",
  labels: list(`
      Credit Note; Credit Memo; Credit Invoice; Gutschrift; Rechnungskorrektur; Stornorechnung; Avoir; Facture d'avoir;
      Note de crédit; Creditnota; Creditfactuur; Nota de crédito; Factura rectificativa; Abono; Nota di credito;
      Faktura korygująca; Korekta faktury; Korekta; Nota kredytowa; Kreditfaktura; Kreditnota; Nota de crédito; Dobropis; Hyvityslasku; Kreditering; Credit;
    `),
  weak: list(`
      Invoice; Tax Invoice; Rechnung; Handelsrechnung; Facture; Factuur; Factura; Fattura; Fatura; Receipt; Bill;
      Faktura; Faktura VAT; Ausgangsrechnung; Lasku; Bill of Sale; Rachunek; Faktúra;
    `)
}

export const invoicePresets = {
  "invoice.documentType": documentType,
  "invoice.number": number,
  "invoice.date": date,
  "invoice.dueDate": dueDate,
  "invoice.vendorName": vendorName,
  "invoice.currency": currency,
  "invoice.lineItems": lineItems
} satisfies Readonly<Record<string, Preset>>
