/** Labels that documents have and the lexicon lacks: what is learned must not need every word. By language and field. */
const words = `
en invoice.number: Our Ref No; Bill Reference; Doc ID; Tax Doc #; Serial No
en invoice.date: Raised on; Made out on; Doc Dated
en invoice.dueDate: Settle by; Kindly pay before; Funds expected by
en invoice.subtotal: Goods & services; Value before levies; Sum of items
en invoice.taxAmount: Levy; Duty charged
en invoice.totalAmount: All in; Please remit; To settle; Final figure; Sum payable now
en receipt.totalAmount: To settle; You paid; Final figure
de invoice.number: Vorgang; Unser Zeichen; Faktura-Kennung; Abrechnung Nr.
de invoice.date: Erstellt am; Ort und Tag; Ausgefertigt
de invoice.dueDate: Begleichen bis; Eingang erbeten bis; Valuta bis
de invoice.subtotal: Waren und Dienste; Summe der Posten; Wert ohne Steuer
de invoice.taxAmount: Steueranteil; hinzu Steuer
de invoice.totalAmount: Wir erlauben uns zu berechnen; Bitte anweisen; Forderung; Alles zusammen
de receipt.totalAmount: Macht zusammen; Zu begleichen
fr invoice.number: Pièce n°; Notre référence; Dossier facturé
fr invoice.date: Établie le; Fait le; En date du
fr invoice.dueDate: Règlement attendu le; À acquitter avant le
fr invoice.subtotal: Valeur des biens; Somme des lignes
fr invoice.taxAmount: Taxe due; Impôt
fr invoice.totalAmount: Somme à verser; Nous vous devons facturer; Tout compris
fr receipt.totalAmount: Somme à verser; Tout compris
es invoice.number: Nuestra referencia; Documento fiscal; Serie y folio
es invoice.date: Hecha el; Expedida en
es invoice.dueDate: Abonar antes de; A satisfacer el
es invoice.subtotal: Valor de lo vendido; Suma de partidas
es invoice.taxAmount: Impuesto repercutido; Gravamen
es invoice.totalAmount: Suma a abonar; Líquido; Todo incluido
it invoice.number: Protocollo; Nostro riferimento
it invoice.date: Redatta il; Li
it invoice.dueDate: Da saldare entro; Regolare il
it invoice.subtotal: Valore dei beni; Somma righe
it invoice.taxAmount: Tributo; Imposta dovuta
it invoice.totalAmount: Da corrispondere; Netto a versare
nl invoice.number: Ons nummer; Stuknummer; Declaratie
nl invoice.date: Opgemaakt op; Dagtekening
nl invoice.dueDate: Voldoen voor; Uiterste dag
nl invoice.subtotal: Som der regels; Waarde goederen
nl invoice.taxAmount: Belasting; Heffing
nl invoice.totalAmount: Gelieve te voldoen; Alles bij elkaar
pl invoice.number: Nasz znak; Sygnatura
pl invoice.date: Sporządzono; Dnia
pl invoice.dueDate: Uregulować do; Ostatni dzień wpłaty
pl invoice.subtotal: Suma pozycji; Wartość bez podatku
pl invoice.taxAmount: Podatek naliczony
pl invoice.totalAmount: Kwota ostateczna; Prosimy wpłacić
pt invoice.number: Nossa referência; Registo
pt invoice.date: Feita em; Lavrada em
pt invoice.dueDate: Liquidar até; Saldar em
pt invoice.subtotal: Soma das linhas
pt invoice.totalAmount: Soma a liquidar; Tudo incluído
sv invoice.number: Vår beteckning; Verifikat
sv invoice.date: Upprättad; Dagens datum
sv invoice.dueDate: Oss tillhanda senast
sv invoice.totalAmount: Summa att erlägga; Slutsumma nu
da invoice.number: Vort nummer; Løbenummer
da invoice.dueDate: Indbetales inden
da invoice.totalAmount: Bedes indbetalt
tr invoice.number: Evrak No; Seri Sıra
tr invoice.date: Tanzim günü
tr invoice.totalAmount: Verilecek para; Hepsi
cs invoice.number: Evidenční znak; Naše značka
cs invoice.totalAmount: Uhraďte prosím; Konečná částka
ja invoice.number: 管理番号; 伝票番号
ja invoice.totalAmount: お支払額; 差引金額
zh invoice.number: 单据编号
zh invoice.totalAmount: 应收总额`

/** The labels by language and field. */
export const unlisted: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>> =
  Object.fromEntries(
    [...Map.groupBy(words.trim().split("\n"), (line) => line.slice(0, 2))].map(([tag, lines]) => [
      tag,
      Object.fromEntries(
        lines.map((line) => {
          const [field = "", list = ""] = line.slice(3).split(": ")
          return [field, list.split("; ")]
        })
      )
    ])
  )
