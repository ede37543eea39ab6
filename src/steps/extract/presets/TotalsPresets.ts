import { list, type Preset } from "./Preset.ts"

const subtotal: Preset = {
  type: "money",
  term: "BT-109",
  unsigned: true,
  pick: "last",
  labels: list(`
      Subtotal; Sub-total; Sub Total; Untaxed Amount; Amount Untaxed; Net Total; Total Net; Net Amount; Total excl. VAT;
      Total excluding VAT; Total before Tax; Total excl. Tax; Taxable Amount; Amount before Tax;
      Total ex VAT; Total exc VAT; Net Invoice Total; Total (excl. VAT); Total ex. GST; Invoice Subtotal; Net Value; Taxable Value; Total Exclusive of VAT;
      Subtotal excluding Tax; Amount excl. VAT; Total Taxable; Zwischensumme; Nettobetrag; Nettosumme; Summe netto; Gesamt netto; Netto; Rechnungssumme Netto;
      Rechnungssumme ohne USt; Gesamtbetrag netto; Netto-Summe; Gesamtsumme netto; Netto gesamt;
      Summe ohne MwSt; Rechnungsbetrag netto; Warenwert netto; Netto Warenwert; Nettogesamtbetrag;
      Gesamt Netto; Betrag netto; Summe (netto); Total netto; Gesamtnetto;
      Rechnungssumme Netto (excl. USt.); Nettowert; Netto-Betrag; Nettorechnungsbetrag;
      Total HT; Sous-total; Montant HT; Total hors taxes; Montant hors taxes; Sous-total HT; Net HT;
      Montant total HT; Total H.T.; Total net HT;
      Subtotaal; Exclusief BTW; Totaal exclusief BTW; Totaal excl. BTW; Bedrag excl. BTW; Netto bedrag;
      Totaal excl.; Excl. BTW;
      Base imponible; Total sin IVA; Total bruto; Suma; Importe neto; Base imp.;
      Imponibile; Totale imponibile; Subtotale; Totale netto; Base imponibile; Total ilíquido;
      Total exkl. MWST; Total exkl. MwSt; Total exkl. USt; Total ohne MWST; Total exkl.; Gesamt exkl. MwSt; Summe exkl. MwSt; Betrag exkl. MwSt; Zwischentotal; Nettototal; Total zzgl. MwSt; Gesamtbetrag exkl. MwSt;
      Goods Total; Sum; Positionen netto; Gesamt (netto); Warensumme; Total brut HT; Montant net HT; Total net; Total H.T; Goederenbedrag; Subtotaal excl. BTW; Netto totaal; Bedrag exclusief BTW; Netto;
      Importe bruto; Importe sin IVA; Suma neta; Subtotal sin IVA; Totale merce; Netto merce; Totale netto merce; Netto; Total líquido; Valor ilíquido; Soma; Incidência; Base tributável; Mercadoria; Total sem IVA;
      Razem netto; Wartość netto; Suma netto; Suma częściowa; Kwota netto; Podstawa opodatkowania; Netto razem;
      Delsumma; Summa exkl. moms; Nettobelopp; Summa netto; Belopp exkl. moms; Totalt exkl. moms; Exkl. moms; Momspliktigt;
      Nettobeløb; I alt ekskl. moms; Varebeløb; Beløb ekskl. moms; Momsgrundlag; Subtotal ekskl. moms; Total ekskl. moms; Delsum; Sum ekskl. mva; Mezisoučet; Välisumma;
    `),
  weak: list(`Goods Total; Merchandise Total; Items Total; Positionssumme; Warenwert;`),
  not: ["Net Amount Due", "Net Total Due", "Net Payable", "Netto innerhalb"]
}

const taxAmount: Preset = {
  type: "money",
  term: "BT-110",
  unsigned: true,
  pick: "last",
  adds: true,
  labels: list(`
      Total Tax; Sales Tax; VAT Amount; Tax Amount; Total VAT; VAT Total; Tax Total; Total GST;
      GST Amount; VAT; Tax; GST; HST; VAT @; Add: VAT; Plus VAT; Total Taxes; Taxes;
      Estimated Tax; IGST; CGST; SGST; SST; Service Tax; Value Added Tax; VAT (%);
      Steuerbetrag; Umsatzsteuer; Mehrwertsteuer; MwSt; USt; USt. Gesamt; MwSt-Betrag; Steuer;
      Summe MwSt; Gesamt USt; zzgl. MwSt; zzgl. USt; zuzüglich Umsatzsteuer; Summe Umsatzsteuer;
      zzgl. Umsatzsteuer; zzgl. Mehrwertsteuer; Umsatzsteuerbetrag; enthaltene MwSt; Ust.-Betrag;
      MwSt gesamt; Steuerbetrag in EUR; Steuerbetrag in USD; Steuerbetrag in GBP; Steuerbetrag in CHF;
      + MwSt; inkl. MwSt; Gesamtbetrag der Steuer; Steuern;
      TVA; Montant TVA; Total TVA; Total taxes; Montant de la TVA; T.V.A.; Dont TVA;
      BTW; BTW-bedrag; Totaal BTW; BTW bedrag; BTW Hoog; BTW Laag;
      IVA; Cuota IVA; Total IVA; Importe IVA; I.V.A.; Cuota; Imposta; Totale IVA; Totale imposta;
      State Tax; VAT total; Tax total; Enthaltene USt; MwSt-Summe; Total T.V.A.; TVA due; Totaal btw; Btw totaal; BTW totaal;
      Importo IVA; IVA totale; Valor do IVA; Valor IVA; Imposto; Montante IVA;
      Kwota VAT; Podatek VAT; Razem VAT; Podatek; Suma VAT; Moms; Momsbelopp; Summa moms; Total moms; Totalt moms; Momsbeløb; Heraf moms; Moms i alt; MVA; Mva-beløp; DPH; ALV;
    `),
  not: list(`
      Tax ID; Tax No; VAT No; VAT ID; VAT Reg No; VAT Registration Number; Tax Invoice; Tax Date;
      VAT Number; Tax Rate; VAT Rate; GST No; GST Reg No; Tax Registration Number; Total excl. VAT;
      Total incl. VAT; Taxable; before Tax; VAT %; Tax Code; excl. VAT; incl. VAT; Tax Exempt;
      excluding VAT; including VAT; ex VAT; inc VAT; excl. Tax; incl. Tax; Excluding Tax;
      USt-ID; USt-IdNr; USt.-Id.-Nr; Steuernummer; Steuer-Nr; ohne USt; ohne MwSt; inkl. USt;
      excl. USt; exkl. MwSt; USt. Satz; USt %; MwSt-Satz; Steuersatz; USt.-Identnr; Art USt;
      N° TVA; Numéro de TVA; TVA intracommunautaire; N° TVA client; Taux TVA; TVA %; hors TVA;
      TVA collectée;
      BTW-nummer; BTW nr; excl. BTW; incl. BTW; Exclusief BTW; Inclusief BTW; BTW %; BTW-id;
      BTW identificatienummer; Prijs incl. BTW;
      N.º IVA; IVA %; Partita IVA; P. IVA; IVA incluido; sin IVA; IVA inclusa; IVA esclusa;
      Moms %; Momsreg.nr; Momsregistreringsnummer; Momsnr; Moms nr; inkl. moms; exkl. moms; ekskl. moms; Stawka VAT; VAT nr; Numer VAT; NIP UE; Momsgrundlag; Taux; Taxa IVA; Aliq. IVA;
      Faktura VAT; VAT UE; VAT Reg; Momssats; Moms-nr;
    `)
}

const totalAmount: Preset = {
  type: "money",
  term: "BT-112",
  unsigned: true,
  pick: "last",
  labels: list(`
      Grand Total; Invoice Total; Total Amount; Total Invoice Amount; Total incl. VAT; Total Due;
      Total including VAT; Total Invoice Value; Total inc VAT; Amount Payable; Total Payable; Gross Total;
      Total Amount Due; Total incl. Tax; Invoice Amount; Total for this invoice; Gross Amount; Order Total;
      Total to Pay; Total; Net Payable; Total Gross;
      Total (incl. VAT); Total inc GST; Total Charges; Please Pay; Total Inclusive of VAT;
      Gesamtbetrag; Rechnungsbetrag; Bruttosumme; Endbetrag; Gesamtsumme; Summe brutto; Bruttobetrag;
      Rechnungssumme Brutto; Rechnungssumme; Gesamt brutto; Rechnungssumme Brutto (inkl. USt.); Gesamt;
      Zu zahlender Betrag; Gesamtbetrag brutto; Summe; Total brutto; Rechnungsendbetrag;
      Gesamtsumme inkl. MwSt; Summe inkl. MwSt; Gesamtbetrag inkl. MwSt; Brutto; Gesamtpreis;
      Rechnungsbetrag brutto; Zu zahlen; Bruttogesamtbetrag; Summe inkl. USt; Rechnungsgesamtbetrag;
      Total TTC; Montant TTC; Net à payer; Total à payer; Montant total TTC; Total général;
      Montant à payer; Total T.T.C.; Montant total;
      Totaal; Totaalbedrag; Te betalen; Totaal inclusief BTW; Totaal incl. BTW; Factuurbedrag;
      Totaal te betalen; Eindtotaal; Te voldoen; Totaal te voldoen;
      Total factura; Importe total; Total a pagar; Total con IVA; Total general; Importe a pagar;
      Totale; Totale fattura; Totale documento; Totale da pagare; Netto a pagare; Importo totale;
      Totale complessivo; Total da fatura; Valor total; Total geral;
      Total inkl. MWST; Total inkl. MwSt; Total inkl. USt; Total inkl.; Gesamttotal; Rechnungstotal inkl. MWST; Betrag inkl. MwSt; Gesamtbetrag inkl. USt; Total CHF; Total EUR;
      Gutschriftsbetrag; Gutschriftbetrag; Gutschrift gesamt; Erstattungsbetrag; Total Credit; Credit Total; Refund Total; Montant de l'avoir; Total avoir; Totaal creditnota; Creditbedrag;
      Amount to Pay; Total Price incl. VAT; Gross; Total (gross); Rechnungstotal; Gesamt inkl. MwSt; Gesamt (brutto); Montant dû; Total net TTC; Total facture; Total dû;
      Totaal te voldoen; Factuurtotaal; Totaal inclusief; Total IVA incluido; Líquido a pagar; Total líquido a pagar; Importe líquido; Totale a pagare; Totale dovuto; Totale ivato; Totale IVA inclusa;
      Total da fatura; Total a pagar; Valor a pagar; Total com IVA; Total documento; Total do documento;
      Razem brutto; Do zapłaty; Kwota do zapłaty; Razem; Wartość brutto; Suma brutto; Razem do zapłaty; Suma; Kwota brutto; Ogółem;
      Totalt; Att betala; Summa att betala; Totalbelopp; Summa inkl. moms; Fakturabelopp; Totalt inkl. moms; Totalsumma; Summa; Belopp att betala;
      Total inkl. moms; I alt; At betale; Totalbeløb; I alt inkl. moms; Fakturabeløb; Til betaling; Total DKK; Å betale; Totalt å betale; Beløp å betale; Celkem; Celkem k úhradě; Yhteensä;
    `),
  weak: list(`
      Amount Due; Balance Due; Total Price; Amount; Balance; Zahlbetrag; Solde à payer; Te betalen; Charges;
      Zu zahlen; Montant; Importe; Importo; Bedrag; Betrag;
    `),
  not: list(`
      Subtotal; Sub Total; Total Tax; Total VAT; Total Net; Total Discount; Total Quantity;
      Total Qty; Total Hours; Total Weight; Total Items; Total Paid; Total Savings; Total Units;
      Total Pages; Total excl. VAT; Tax Amount; VAT Amount; Net Amount; Discount Amount; Amount Paid;
      Zwischensumme; Nettosumme; Summe netto; Gesamtbetrag der Zuschläge; Gesamtbetrag der Abschläge;
      Gesamtbetrag netto; Gesamtgewicht; Gesamt netto; Summe MwSt; USt. Gesamt; Summe Zuschläge;
      Summe Abschläge; Total HT; Total TVA; Total taxes; Total remise; Totaal BTW; Totaal excl. BTW;
      Total IVA; Totale IVA; Totale imponibile; Total sin IVA; Amount of VAT;
      Total exkl. MWST; Total exkl. MwSt; Total exkl. USt; Total ohne MWST; Total exkl.; Gesamt exkl. MwSt; Summe exkl. MwSt; Betrag exkl. MwSt; Zwischentotal; Nettototal; Total zzgl. MwSt; Gesamtbetrag exkl. MwSt;
      Razem netto; Suma netto; Razem VAT; Summa exkl. moms; Summa moms; Summa netto; Total moms; I alt ekskl. moms; Moms i alt; Total ilíquido; Total líquido; Totale merce;
      Totale netto; Totaal btw; Total brut HT; Delsumma; Total sem IVA; Total net HT; Goods Total; Summe netto; Suma częściowa; Suma y sigue; Suma anterior; Total rabais; Carried forward; Total carried forward;
    `)
}

const amountDue: Preset = {
  type: "money",
  term: "BT-115",
  unsigned: true,
  pick: "last",
  labels: list(`
      Amount Due; Balance Due; Total Due; Balance; Total Amount Due; Outstanding Balance; Balance to Pay;
      Zahlbetrag; Offener Betrag; Restbetrag; Zu zahlen; Zu zahlender Betrag; Noch zu zahlen;
      Solde à payer; Reste à payer; Net à payer; Solde dû; Te betalen; Openstaand bedrag; Nog te betalen;
      Importe pendiente; Saldo pendiente; Total a pagar; Saldo; Totale da pagare; Netto a pagare;
      Amount Outstanding; Outstanding; Remaining Balance; Rest zu zahlen; Offen; Verbleibender Betrag; Noch offen; Restant dû; Solde; Openstaand; Resterend bedrag; Restbedrag; Pendiente de pago; Pendiente; Saldo dovuto; Residuo da pagare; Valor em dívida; Em dívida;
      Pozostało do zapłaty; Pozostaje do zapłaty; Kvar att betala; Återstår att betala; Restbelopp; Saldo att betala; Restbeløb; Skyldigt beløb; Mangler at betale; Skyldig beløb;
    `),
  // Where nothing was paid, the total is what is due.
  weak: totalAmount.labels ?? [],
  not: totalAmount.not ?? []
}

/** The sums of an invoice. */
export const totalPresets = {
  "invoice.subtotal": subtotal,
  "invoice.taxAmount": taxAmount,
  "invoice.totalAmount": totalAmount,
  "invoice.amountDue": amountDue
} satisfies Readonly<Record<string, Preset>>
