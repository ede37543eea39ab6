/** Currencies by country (ISO 3166, ISO 4217), for countries whose invoices docflow expects. */
export const countryCurrencies: ReadonlyMap<string, string> = new Map(
  (
    "AD EUR,AE AED,AR ARS,AT EUR,AU AUD,BD BDT,BE EUR,BG BGN,BH BHD,BR BRL,CA CAD,CH CHF,CL CLP,CN CNY,CO COP,CR CRC," +
    "CY EUR,CZ CZK,DE EUR,DK DKK,DO DOP,EE EUR,EG EGP,ES EUR,FI EUR,FR EUR,GB GBP,GR EUR,HK HKD,HR EUR,HU HUF,ID IDR," +
    "IE EUR,IL ILS,IN INR,IS ISK,IT EUR,JP JPY,KE KES,KR KRW,KW KWD,KZ KZT,LI CHF,LK LKR,LT EUR,LU EUR,LV EUR,MA MAD," +
    "MC EUR,MT EUR,MX MXN,MY MYR,NG NGN,NL EUR,NO NOK,NZ NZD,OM OMR,PE PEN,PH PHP,PK PKR,PL PLN,PT EUR,QA QAR,RO RON," +
    "RS RSD,SA SAR,SE SEK,SG SGD,SI EUR,SK EUR,SM EUR,TH THB,TN TND,TR TRY,TW TWD,UA UAH,US USD,UY UYU,VN VND,ZA ZAR"
  )
    .split(",")
    .map((entry) => [entry.slice(0, 2), entry.slice(3)] as const)
)
