import { expect, it } from "@effect/vitest"
import { vatIdsIn } from "../../../src/extraction/names/PayeeVatIds.ts"

it("takes no account for a VAT number, also where recognition lost one of its digits", () => {
  expect(vatIdsIn("Saaja: Kuusilahden kaupunki FI21 123 4560 0007 85 (BIC NDEAFIHH)")).toEqual([])
  expect(vatIdsIn("FI21 1234 5600 0007 85")).toEqual([])
  expect(vatIdsIn("TVA BE 0784.102.336")).toEqual(["BE0784102336"])
  expect(vatIdsIn("USt-IdNr. DE231884907 BIC WLAHDE44XXX")).toEqual(["DE231884907"])
  expect(vatIdsIn("VAT GB 217 6630 84 and CHE-107.448.921 MWST")).toEqual(["GB217663084", "CHE107448921"])
})
