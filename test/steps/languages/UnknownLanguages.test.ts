import { expect, it } from "@effect/vitest"
import { languagesIn } from "../../../src/extraction/lexicon/LanguagesIn.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"

const isUnknown = (text: string): boolean => languagesIn(shippedLexicon(), text).unknown

it.each([
  [
    "Azerbaijani",
    "Hesab-faktura Nömrəsi 77 Tarix 03.03.2025 Alıcı Göy Göl mehmanxanası Malın adı Miqdarı Qiyməti Məbləği Pəncərə çərçivə ilə Çatdırılma və quraşdırma Cəmi ƏDV 18% Yekun məbləğ Əməkdaşlığınıza görə təşəkkür edirik Zəhmət olmasa beş gün ərzində ödəyin"
  ],
  [
    "Irish",
    "Sonrasc Uimhir an tsonraisc 77 Dáta 03/03/2025 Custaiméir Óstán na Trá Cur síos Cainníocht Praghas Méid Fuinneog adhmaid le gloine Seachadadh agus feistiú Fo-iomlán Iomlán iníoctha Go raibh maith agat as do ghnó Íoc laistigh de dheich lá le do thoil"
  ],
  [
    "Tagalog",
    "Resibo ng Paniningil Bilang 77 Petsa 03/03/2025 Mamimili Otel Dagat Paglalarawan Dami Presyo Halaga Bintanang narra na may salamin Paghahatid at pagkakabit Kabuuan bago buwis Kabuuang babayaran Maraming salamat sa inyong pagtangkilik Pakibayaran po sa loob ng sampung araw"
  ],
  [
    "Maltese",
    "Fattura Numru tal-fattura 118 Data tal-ħruġ 12/06/2025 Klijent Lukanda San Ġwann Deskrizzjoni Kwantità Prezz Ammont Bieb tal-injam bil-qafas Xogħol u trasport Total li għandu jitħallas Grazzi talli għażiltu s-servizzi tagħna Jekk jogħġbok ħallas fi żmien tletin jum"
  ],
  [
    "Kazakh",
    "Шот-фактура Нөмірі 118 Күні 12.06.2025 Сатушы Жасыл Алма ЖШС Сатып алушы Алматы қонақүйі Атауы Саны Бағасы Құны Емен есік жақтауымен Жеткізу және орнату Барлығы Төлеуге жататын сома Бізді таңдағаныңыз үшін рахмет Он бес күн ішінде төлеңіз"
  ]
])("a form in %s is in no language of the lexicon", (_, text) => {
  expect(isUnknown(text)).toBe(true)
})

it.each([
  [
    "Albanian",
    "Faturë tatimore Numri i faturës 77/2025 Data e lëshimit 03.03.2025 Blerësi Shtëpia e Verdhë Përshkrimi Sasia Çmimi Vlera Dritare druri me xham Transporti dhe montimi Vlera pa TVSH Vlera totale për pagesë Ju lutemi paguani brenda dhjetë ditëve Faleminderit"
  ],
  [
    "Macedonian",
    "Фактура бр. 77/2025 Датум на издавање 03.03.2025 Рок на плаќање 18.03.2025 Купувач Хотел Езеро Опис Количина Цена Износ Прозорец од смрека со стакло Превоз и монтажа Вкупно без ДДВ Вкупно за плаќање Ви благодариме за довербата Ве молиме платете во рок од десет дена"
  ],
  [
    "Uzbek",
    "Hisobvaraq-faktura № 118 Hujjat sanasi 12.06.2025 Yetkazib beruvchi Yashil Bogʻ MChJ Buyurtmachi Samarqand mehmonxonasi Mahsulot nomi Miqdori Narxi Summa Eman eshik romi bilan Yetkazib berish va oʻrnatish QQSsiz jami Toʻlanadigan summa Xaridingiz uchun rahmat"
  ],
  [
    "Croatian",
    "Račun Broj računa 118 Datum izdavanja 12.06.2025 Kupac Hotel Jadran Opis Količina Cijena Iznos Hrastova vrata s okvirom Dostava i montaža Osnovica PDV 25% Ukupno za platiti Hvala na povjerenju Molimo platite u roku od petnaest dana"
  ],
  [
    "Serbian",
    "Рачун Број рачуна 77/25 Датум издавања 03.03.2025. Рок плаћања 18.03.2025. Купац Хотел Звезда Опис Количина Цена Износ Прозор од јеловине са стаклом Превоз и уградња Основица Укупно за уплату Хвала на поверењу Молимо уплатите у року од десет дана"
  ],
  [
    "English, with names of other languages",
    "Invoice number 118 Date 12 June 2025 Bill to Żółć Sp. z o.o., Łódź Description Quantity Price Amount Çelik kapı, Škoda parts, œuvres Delivery and fitting at Þingvellir Subtotal VAT 20% Total due Thank you for your business Please pay within thirty days"
  ],
  [
    "a list of names",
    "Anthem Blue Cross Kaiser Foundation Molina Healthcare Sacramento Mendocino Solano Sonoma Humboldt Shasta Trinity Siskiyou Modoc Lassen Plumas Sierra Nevada Placer Amador Alpine Calaveras Tuolumne Mariposa Merced Madera Fresno Tulare invoice total date amount number"
  ]
])("a form in a language of the lexicon is not: %s", (_, text) => {
  expect(isUnknown(text)).toBe(false)
})
