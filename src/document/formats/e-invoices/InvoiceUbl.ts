import { type InvoiceSyntax, termPaths } from "./InvoiceSyntax.ts"
import { parsePath } from "../xml/XmlSelect.ts"

const parts = {
  account: "PaymentMeans/PayeeFinancialAccount",
  sums: "LegalMonetaryTotal",
  allowance: "AllowanceCharge[ChargeIndicator=false]",
  charge: "AllowanceCharge[ChargeIndicator=true]",
  address: "Delivery/DeliveryLocation/Address"
}

const parties = [
  ["27 28 29 30 31 34 35 36 162 37 38 39 40 41 42 43", "AccountingSupplierParty/Party"],
  ["44 45 46 47 48 49 50 51 163 52 53 54 55 56 57 58", "AccountingCustomerParty/Party"]
].map(([terms = "", party = ""]) => {
  const paths = [
    "PartyLegalEntity/RegistrationName",
    "PartyName/Name",
    "PartyIdentification/ID",
    "PartyLegalEntity/CompanyID",
    "PartyTaxScheme[TaxScheme/ID=VAT]/CompanyID",
    "EndpointID",
    "PostalAddress/StreetName",
    "PostalAddress/AdditionalStreetName",
    "PostalAddress/AddressLine/Line",
    "PostalAddress/CityName",
    "PostalAddress/PostalZone",
    "PostalAddress/CountrySubentity",
    "PostalAddress/Country/IdentificationCode",
    "Contact/Name",
    "Contact/Telephone",
    "Contact/ElectronicMail"
  ]
  return terms
    .split(" ")
    .map((term, i) => `${term} ${party}/${paths[i]}`)
    .join("\n")
})

const header = `
  1 ID
  2d IssueDate
  3 InvoiceTypeCode|CreditNoteTypeCode
  5 DocumentCurrencyCode
  6 TaxCurrencyCode
  7d TaxPointDate
  9d DueDate
  9d PaymentMeans/PaymentDueDate
  10 BuyerReference
  11 ProjectReference/ID
  12 ContractDocumentReference/ID
  13 OrderReference/ID
  14 OrderReference/SalesOrderID
  15 ReceiptDocumentReference/ID
  16 DespatchDocumentReference/ID
  17 OriginatorDocumentReference/ID
  18 AdditionalDocumentReference[DocumentTypeCode=130]/ID
  19 AccountingCost
  20 PaymentTerms/Note
  22 Note
  23 ProfileID
  24 CustomizationID
  25 BillingReference/InvoiceDocumentReference/ID
  26d BillingReference/InvoiceDocumentReference/IssueDate
  32 AccountingSupplierParty/Party/PartyTaxScheme[!TaxScheme/ID=VAT]/CompanyID
  33 AccountingSupplierParty/Party/PartyLegalEntity/CompanyLegalForm
  59 PayeeParty/PartyName/Name
  60 PayeeParty/PartyIdentification/ID
  61 PayeeParty/PartyLegalEntity/CompanyID
  62 TaxRepresentativeParty/PartyName/Name
  63 TaxRepresentativeParty/PartyTaxScheme/CompanyID
  70 Delivery/DeliveryParty/PartyName/Name
  71 Delivery/DeliveryLocation/ID
  72d Delivery/ActualDeliveryDate
  73d InvoicePeriod/StartDate
  74d InvoicePeriod/EndDate
  75 $address/StreetName
  77 $address/CityName
  78 $address/PostalZone
  80 $address/Country/IdentificationCode
  81 PaymentMeans/PaymentMeansCode
  82 PaymentMeans/PaymentMeansCode/@name
  83 PaymentMeans/PaymentID
  84 $account/ID
  85 $account/Name
  86 $account/FinancialInstitutionBranch/ID
  89 PaymentMeans/PaymentMandate/ID
  91 PaymentMeans/PaymentMandate/PayerFinancialAccount/ID
  92n $allowance/Amount
  97 $allowance/AllowanceChargeReason
  99n $charge/Amount
  104 $charge/AllowanceChargeReason
  106n $sums/LineExtensionAmount
  107n $sums/AllowanceTotalAmount
  108n $sums/ChargeTotalAmount
  109n $sums/TaxExclusiveAmount
  110n TaxTotal/TaxAmount
  112n $sums/TaxInclusiveAmount
  113n $sums/PrepaidAmount
  114n $sums/PayableRoundingAmount
  115n $sums/PayableAmount
  116n TaxTotal/TaxSubtotal/TaxableAmount
  117n TaxTotal/TaxSubtotal/TaxAmount
  118 TaxTotal/TaxSubtotal/TaxCategory/ID
  119n TaxTotal/TaxSubtotal/TaxCategory/Percent
  ${parties.join("\n")}`

const line = `
  126 ID
  127 Note
  129n InvoicedQuantity|CreditedQuantity
  130 InvoicedQuantity|CreditedQuantity/@unitCode
  131n LineExtensionAmount
  132 OrderLineReference/LineID
  133 AccountingCost
  134d InvoicePeriod/StartDate
  135d InvoicePeriod/EndDate
  136n $allowance/Amount
  141n $charge/Amount
  146n Price/PriceAmount
  147n Price/AllowanceCharge/Amount
  148n Price/AllowanceCharge/BaseAmount
  149n Price/BaseQuantity
  151 Item/ClassifiedTaxCategory/ID
  152n Item/ClassifiedTaxCategory/Percent
  153 Item/Name
  154 Item/Description
  155 Item/SellersItemIdentification/ID
  156 Item/BuyersItemIdentification/ID
  157 Item/StandardItemIdentification/ID
  159 Item/OriginCountry/IdentificationCode`

/** Universal Business Language 2, the documents `Invoice` and `CreditNote`. */
export const ubl: InvoiceSyntax = {
  header: termPaths(header, parts),
  lines: parsePath("InvoiceLine|CreditNoteLine"),
  line: termPaths(line, parts),
  isIgnored: parsePath("Nothing")
}
