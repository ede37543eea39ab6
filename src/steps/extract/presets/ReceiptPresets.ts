import { list, type Preset } from "./Preset.ts"

/** The shop: no label stands beside it. */
const merchantName: Preset = {
  type: "string",
  finder: "merchant",
  labels: list(`Merchant; Merchant Name; Store Name; Shop; Händler; Commerçant; Comercio; Esercente;`)
}

/** Where the shop is: the lines under its name. */
const address: Preset = {
  type: "string",
  finder: "address",
  labels: list(`Address; Adresse; Anschrift; Dirección; Indirizzo;`)
}

/** English, Malay, German, French, Dutch, Spanish, Italian, Portuguese; the surest label first. */
const date: Preset = {
  type: "date",
  recent: true,
  pick: "first",
  labels: list(`
      Date; Invoice Date; Receipt Date; Transaction Date; Date of Sale; Sale Date; Bill Date; Trans Date; Date/Time;
      Date Time; Doc Date; Inv Date; Tarikh; Datum; Belegdatum; Kaufdatum; Datum/Uhrzeit; Date d'achat; Le;
      Datum/tijd; Fecha; Fecha/Hora; Data; Data/Ora; Data/Hora;
    `),
  weak: list(`Printed; Time; Uhrzeit; Heure; Tijd; Hora; Ora;`),
  not: list(`
      Expiry Date; Due Date; Date of Birth; Delivery Date; Valid until; Valid thru; Best before; Exchange before;
      Return by; Member since; Gültig bis; Umtausch bis; Valable jusqu'au; Geldig tot; Válido hasta; Valido fino al;
    `)
}

const totalAmount: Preset = {
  type: "money",
  till: true,
  unsigned: true,
  pick: "last",
  labels: list(`
      Net Total; Nett Total; Rounded Total; Grand Total; Total Sales (Inclusive of GST); Total Sales Inclusive GST; Total Sales Inclusive of GST;
      Total Amount Incl GST; Total (Inclusive of GST); Total Inclusive GST; Total Incl GST; Total incl. VAT;
      Total incl. Tax; Total Including Tax; Total (GST Incl); Rounded Total; Rounded Total (RM); Total Rounded;
      Total After Rounding; Total After Adj; Total Payable; Amount Payable; Amount Due; Total Due; Total Amount Due;
      Balance Due; Amount Incl. GST; Amount Incl. VAT; Amount Incl. Tax; Net Amount; Nett Amount; Net Amt; Total Amount; Total Amount (RM); Total (RM);
      Total RM; Total Sales; Total Sale; Total Amt; Sale Total; Bill Total; To Pay; Total to Pay; Total;
      Jumlah; Jumlah Besar; Jumlah Keseluruhan;
      Gesamtbetrag; Zu zahlen; Endbetrag; Gesamtsumme; Summe; Gesamt; Summe EUR; Total EUR;
      Total TTC; Montant TTC; Net à payer; A payer; Total à payer; Montant total;
      Te betalen; Totaal; Totaal te betalen; Totaalbedrag; Totaal incl. BTW;
      Total a pagar; Importe total; Totale; Totale complessivo; Totale euro; Importo totale; Valor total;
    `),
  weak: list(`
      Amount; Credit Card; Visa; Mastercard; Debit Card; Card; Betrag; Montant; Bedrag; Importe; Importo; EC-Karte;
      Kartenzahlung; Carte bancaire; Pin; Tarjeta; Carta;
    `),
  not: list(`
      Subtotal; Sub Total; Total Qty; Total Quantity; Total Items; Total Item; Item Total; Total Discount; Total Savings;
      Total Saving; Total Tax; Total GST; Total VAT; Total SST; GST Total; Tax Amount; GST Amount; Discount Amount;
      Total (Excluding GST); Total Excl GST; Total Excluding GST; Total Excl. Tax; Total Sales (Excluding GST);
      Total Sales Excluding GST; Total before Tax; Total excl. VAT; Total Before Rounding; Amount before Tax;
      Total Points; Accepted Total; Total Accepted; Total Given; Total Paid; Total Tendered; Total Cash; Total Change; Cash; Change; Rounding; Amount Tendered;
      Amount (RM); Tax (RM); Unit Price; Card No; Card Number; Total Pcs; Total Units; Total Weight; Member Card;
      Zwischensumme; Nettosumme; Summe netto; Total HT; Sous-total; Total TVA; Total remise; Nombre total;
      Subtotaal; Totaal excl. BTW; Totaal BTW; Base imponible; Total IVA; Subtotale; Totale IVA; Imponibile;
    `)
}

/** What was handed over: with the change it proves the total. */
const cash: Preset = {
  type: "money",
  unsigned: true,
  pick: "last",
  labels: list(`
      Cash; Cash Tendered; Cash Received; Amount Tendered; Tendered; Total Tendered; Amount Paid; Paid; Payment;
      Cash Paid; Tunai; Bayaran; Bar; Gegeben; Bargeld; Espèces; Reçu; Contant; Ontvangen; Efectivo; Entregado;
      Contanti; Contante; Dinheiro;
    `),
  not: list(`Cash Bill; Cash Sale; Cash Sales; Cash Invoice; Cash Receipt; Payment Method; Cash Rounding;`)
}

const change: Preset = {
  type: "money",
  unsigned: true,
  pick: "last",
  labels: list(`
      Change; Change Due; Cash Change; Change Amount; Balance; Baki; Rückgeld; Zurück; Wechselgeld; Rendu; Monnaie;
      Rendu monnaie; Wisselgeld; Retour; Terug; Cambio; Vuelta; Resto; Troco;
    `),
  not: list(`Balance Due; Points Balance; Change Policy; Card Balance;`)
}

export const receiptPresets = {
  "receipt.merchantName": merchantName,
  "receipt.address": address,
  "receipt.date": date,
  "receipt.totalAmount": totalAmount,
  "receipt.cash": cash,
  "receipt.change": change
} satisfies Readonly<Record<string, Preset>>
