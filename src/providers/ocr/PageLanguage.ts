/**
 * Words that identify a language, without accents, which engines lose before the language is known: frequent small
 * words, and words of receipts and invoices, which have few sentences. By Tesseract's names of the languages.
 */
const vocabulary: Readonly<Record<string, string>> = {
  eng: "the and of to for with your you thank total tax date cash change card invoice receipt amount due balance subtotal from please number price address this have are not that was his which page we if or payment customer order service",
  deu: "der die das und ist nicht mit fur von dem den des ein eine zu auf im sie wir ihr ihre ihren vielen dank summe betrag mwst rechnung datum steuer gesamt gesamtbetrag bar ruckgeld netto brutto strasse zwischensumme lieferung kunde auch werden wird nach bei oder kasse beleg gegeben bestellung zahlung bitte abschlag abzuglich auftrag vom rein zahlbar bis inh position menge preis einzelpreis ust steuernummer stand",
  fra: "le la les et est des du une pour dans que qui vous nous votre merci montant tva facture sous rendu especes carte payer ttc ht rue visite date avec sur pas par ce cette sont aux commande livraison reglement siret client bancaire caisse ticket",
  spa: "el los las y es del una para con que por su gracias visita importe iva factura cuota base tarjeta efectivo cambio calle fecha total usted como mas pero este esta sus cliente pago venta cambios simplificada numero",
  ita: "il lo gli e di che per con una del della dei sono non grazie arrivederci importo iva imponibile imposta totale contanti resto pagamento elettronico documento commerciale fattura via data piazza scontrino cliente anche come piu alla nel euro",
  nld: "de het een en van voor met op niet zijn aan te bij uw wij bedankt btw bedrag totaal datum contant wisselgeld betaald bon factuur subtotaal tot ziens straat kassa klant ook worden werd naar pin betaling incl aantal prijs",
  por: "o os as e de do da dos das um uma para com nao que por seu obrigado valor iva fatura total troco dinheiro cartao data cliente rua contribuinte pagamento numero mais como foi sua pela numerario recibo subtotal nif",
  pol: "i w z na do sie nie jest to dla przez oraz od po dziekujemy suma razem kwota faktura data sprzedaz gotowka karta reszta nip paragon fiskalny ul ilosc cena wartosc netto brutto sprzedawca nabywca platnosc podatek zapraszamy",
  swe: "och att det som en ett pa av for med den till ar inte om har vi tack summa moms belopp kvitto datum kontant kort att betala faktura org nr valkommen ater vaxel pris antal kassa varav totalt butik eller fakturanummer fakturadatum forfallodatum kundnummer ordernummer artikel benamning betalning exkl inkl bankgiro plusgiro timmar bank",
  dan: "og at det som en et pa af for med den til er ikke om har vi tak moms belob kvittering dato kontant kort betale faktura cvr velkommen igen byttepenge pris antal kasse heraf total butik eller hos deres fakturanummer fakturadato forfaldsdato kundenummer ordrenummer varenr varer tekst enhed alt betaling leveret rabat momspligtigt bank",
  ces: "a v se na je to ze do pro za od po jsou nebo jako dekujeme celkem castka faktura datum dph hotovost karta ico dic uctenka cena mnozstvi zaklad dan platba prodejna zakaznik nakup vraceno prijde",
  nor: "og at det som en et pa av for med den til er ikke om har vi takk mva belop kvittering dato kontant kort betale faktura orgnr velkommen igjen veksel pris antall kasse herav totalt butikk eller hos deres sum fakturanummer fakturanr fakturadato forfall forfallsdato kundenummer ordrenr beskrivelse sats betaling levert eks timer kontonummer bank",
  fin: "ja on ei se etta oli han mutta myos kun niin kuin tai sen yhteensa alv kuitti paivays kateinen kortti maksu lasku summa kiitos tervetuloa hinta maara veroton vero vaihtoraha y tunnus",
  hun: "a az es hogy nem is egy ez van meg de osszesen afa datum szamla nyugta keszpenz fizetendo vegosszeg koszonjuk vasarlast adoszam ar db kartya netto brutto kerekites",
  ron: "si de la in cu pe din nu este pentru sunt care mai sau total tva data factura bon fiscal numerar rest card multumim va pret cantitate valoare suma cif plata",
  hrv: "i u je na se za od su da ne po ili kao ukupno pdv datum racun gotovina kartica iznos hvala oib cijena kolicina osnovica porez blagajna placanja",
  slk: "a v sa na je to ze do pre za od po su alebo ako dakujeme spolu suma faktura datum dph hotovost karta ico dic doklad cena mnozstvo zaklad dan platba pokladna nakup",
  slv: "in je za na se so da ne po od pri ali racun datum znesek skupaj ddv osnova placilo placila kolicina cena vrednost opis zapade kupec stevilka cesta hvala gotovina rok storitve",
  est: "ja on ei ning see et oma arve kuupaev summa kokku km kaibemaks tasuda kogus hind tahtaeg makse ostja muuja tk aitah tanan kviitung sularaha kaardimakse",
  lav: "un ir ar par no uz lai vai ka rekins datums summa kopa pvn apmaksai daudzums cena termins pircejs pardevejs samaksa paldies ceks skaidra nauda bez gab",
  lit: "ir yra su uz is ar kad bei saskaita faktura data suma viso pvm moketi kiekis kaina terminas pirkejas pardavejas apmoketi aciu kvitas grynais vnt be",
  isl: "og er ad til fra med fyrir um vid sem ekki reikningur dagsetning upphaed samtals vsk greidsla gjalddagi eindagi magn verd kaupandi takk kvittun stk an",
  vie: "va cua cho ngay thang nam so hoa don khach hang dia chi ma thue tong tien cong thanh toan nguoi ban mua hinh thuc luong gia dich vu gtgt suat quay phieu cam on hen gap lai",
  bul: "и на за от до по се с да не във при фактура дата дс дан сума общо плащане цена стоиност количество получател доставчик основа банка срок еик мол словом касов бон благодарим",
  ukr: "і та на за від до по з не у в рахунок дата сума всього пдв ціна кількість постачальник покупець оплата оплати платник разом грн товар послуга без номер дякуємо чек банк єдрпоу договір",
  rus: "и на за от до по с не в счет дата сумма всего ндс цена количество поставщик покупатель оплата итого руб товар услуга без номер спасибо чек банк инн договор к",
  tur: "ve bir bu da de ile icin olarak toplam kdv tarih fis fatura nakit kredi karti tutar tesekkur ederiz vergi no adet fiyat odeme para ustu saat"
}

/** The languages that can be detected, by Tesseract's names. */
export const knownLanguages: ReadonlyArray<string> = Object.keys(vocabulary)

const languagesOf = new Map<string, Array<string>>()
for (const [language, words] of Object.entries(vocabulary)) {
  for (const word of new Set(words.split(" "))) {
    const languages = languagesOf.get(word)
    if (languages === undefined) languagesOf.set(word, [language])
    else languages.push(language)
  }
}

const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  å: "a",
  œ: "oe",
  ł: "l",
  đ: "d",
  ı: "i"
}

const bare = (word: string): string =>
  word
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßøæåœłđı]/gu, (letter) => letters[letter] ?? letter)

/**
 * The factor by which another language must beat English; a word that several languages share counts in part for each.
 */
const ahead = 1.3
/** The minimum points of a language: fewer than two words of its own are chance. */
const least = 2

/**
 * The language of a string, by Tesseract's name; `eng` in case of doubt. `among` limits the choice. The most points
 * decide: each word counts once, shared between the languages that have it.
 */
export const languageOf = (texts: ReadonlyArray<string>, among?: ReadonlyArray<string>): string => {
  const points = new Map<string, number>()
  const words = new Set(texts.flatMap((text) => bare(text).match(/\p{L}+/gu) ?? []))
  for (const word of words) {
    const languages = languagesOf.get(word) ?? []
    for (const language of languages) points.set(language, (points.get(language) ?? 0) + 1 / languages.length)
  }
  const fallback = among === undefined || among.includes("eng") ? "eng" : (among[0] ?? "eng")
  let [best, most] = [fallback, Math.max(least, ahead * (points.get(fallback) ?? 0))]
  for (const [language, count] of points) {
    if (count <= most || language === fallback || (among !== undefined && !among.includes(language))) continue
    ;[best, most] = [language, count]
  }
  return best
}

/** The name of a language in English, such as German for `deu`. */
export const nameOfLanguage = (language: string): string => {
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "code" })
  return /^[a-z]{2,3}$/u.test(language) ? (names.of(language) ?? language) : language
}
