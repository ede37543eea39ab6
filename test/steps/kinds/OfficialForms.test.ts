import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { foundOn } from "../pages/ReadPrinted.ts"

it.effect.each([
  [
    "on the right of a digitalized invoice of China",
    [
      { 180: "电子发票（增值税专用发票）" },
      { 40: "名称： 苏州澜川智能仪表有限公司", 320: "名称： 东莞市恒芯微电子有限公司" },
      { 40: "纳税人识别号： 91320505MA1X8K4T2P", 320: "纳税人识别号： 91441900MA4W7J2H6L" },
      { 70: "价税合计（大写）", 190: "⊗ 伍仟贰佰贰拾陆圆贰角伍分", 400: "¥5226.25" }
    ],
    "东莞市恒芯微电子有限公司"
  ],
  [
    "below on the invoice of China before that",
    [
      { 180: "增值税电子普通发票" },
      { 40: "名称： 苏州澜川智能仪表有限公司" },
      { 40: "纳税人识别号： 91320505MA1X8K4T2P" },
      { 70: "价税合计（大写）", 190: "⊗ 伍仟贰佰贰拾陆圆贰角伍分", 400: "¥5226.25" },
      { 40: "名称： 东莞市恒芯微电子有限公司" },
      { 40: "纳税人识别号： 91441900MA4W7J2H6L" }
    ],
    "东莞市恒芯微电子有限公司"
  ],
  [
    "on the left of a tax invoice of Korea",
    [
      { 100: "전자세금계산서" },
      { 60: "등록번호", 120: "214-86-40917", 330: "등록번호", 390: "128-81-77204" },
      { 60: "상호", 120: "한빛오피스솔루션", 330: "상호", 390: "(주)가람건축사사무소" }
    ],
    "한빛오피스솔루션"
  ],
  [
    "before the name of the representative",
    [
      { 100: "전자세금계산서" },
      { 60: "등록번호", 130: "312-81-44521", 330: "등록번호", 400: "605-86-01992" },
      {
        60: "상호(법인명)",
        130: "(주)새한포장",
        210: "성명",
        250: "오세훈",
        330: "상호(법인명)",
        400: "해운대유통"
      },
      { 60: "업태", 130: "제조", 210: "종목", 250: "포장재", 330: "업태", 400: "도소매" }
    ],
    "(주)새한포장"
  ],
  [
    "behind a label that fills the width of its column",
    [
      { 180: "四川增值税电子普通发票" },
      { 40: "名　　　称： 重庆南岸老灶火锅店" },
      { 40: "纳税人识别号： 92500108MA5UXX7J2L" },
      { 70: "价税合计(大写)", 190: "⊗伍仟肆佰圆整", 400: "¥5400.00" },
      { 40: "名　　　称： 成都锦里川味食品有限责任公司" },
      { 40: "纳税人识别号： 91510104MA61R8XK3D" }
    ],
    "成都锦里川味食品有限责任公司"
  ],
  [
    "behind a label that recognition joined with the next letter",
    [
      { 180: "电子发票（普通发票）" },
      { 40: "购名称： 杭州西泠贸易有限公司", 320: "销 名称： 宁波海曙云帆软件有限公司" },
      { 40: "买", 320: "售" },
      { 70: "价税合计（大写）", 190: "⊗贰万圆整", 400: "¥20000.00" }
    ],
    "宁波海曙云帆软件有限公司"
  ]
] as const)("the seller is where an official form has it: %s", ([, lines, seller]) =>
  Effect.gen(function* () {
    const found = yield* foundOn(placedPage(linesOf(40, 16, lines)), "invoice.vendorName")
    expect(found?.value).toBe(seller)
  })
)
