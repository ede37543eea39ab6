import { type InvoiceSyntax, termPaths } from "./InvoiceSyntax.ts"
import { parsePath } from "../xml/XmlSelect.ts"

/** The names of UN/CEFACT's D16B (Factur-X, ZUGFeRD 2, XRechnung, Order-X) and those of ZUGFeRD 1 for the same things. */
const transaction = "SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction"
const parts = {
  document: "ExchangedDocument|HeaderExchangedDocument",
  context: "ExchangedDocumentContext|SpecifiedExchangedDocumentContext",
  agreement: `${transaction}/ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement`,
  delivery: `${transaction}/ApplicableHeaderTradeDelivery|ApplicableSupplyChainTradeDelivery`,
  settlement: `${transaction}/ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement`,
  sums: "SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation",
  lineAgreement: "SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement",
  lineDelivery: "SpecifiedLineTradeDelivery|SpecifiedSupplyChainTradeDelivery",
  lineSettlement: "SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement",
  lineSums: "SpecifiedTradeSettlementLineMonetarySummation|SpecifiedTradeSettlementMonetarySummation",
  number: "IssuerAssignedID|ID",
  allowance: "SpecifiedTradeAllowanceCharge[ChargeIndicator/Indicator=false]",
  charge: "SpecifiedTradeAllowanceCharge[ChargeIndicator/Indicator=true]"
}

const parties = [
  ["27 28 29 30 31 34 35 36 162 37 38 39 40 41 42 43", "$agreement/SellerTradeParty"],
  ["44 45 46 47 48 49 50 51 163 52 53 54 55 56 57 58", "$agreement/BuyerTradeParty"]
].map(([terms = "", party = ""]) => {
  const paths = [
    "Name",
    "SpecifiedLegalOrganization/TradingBusinessName",
    "ID|GlobalID",
    "SpecifiedLegalOrganization/ID",
    "SpecifiedTaxRegistration/ID[@schemeID=VA]",
    "URIUniversalCommunication/URIID",
    "PostalTradeAddress/LineOne",
    "PostalTradeAddress/LineTwo",
    "PostalTradeAddress/LineThree",
    "PostalTradeAddress/CityName",
    "PostalTradeAddress/PostcodeCode",
    "PostalTradeAddress/CountrySubDivisionName",
    "PostalTradeAddress/CountryID",
    "DefinedTradeContact/PersonName|DepartmentName",
    "DefinedTradeContact/TelephoneUniversalCommunication/CompleteNumber",
    "DefinedTradeContact/EmailURIUniversalCommunication/URIID|CompleteNumber"
  ]
  return terms
    .split(" ")
    .map((term, i) => `${term} ${party}/${paths[i]}`)
    .join("\n")
})

const header = `
  1 $document/ID
  2d $document/IssueDateTime
  3 $document/TypeCode
  5 $settlement/InvoiceCurrencyCode|OrderCurrencyCode
  6 $settlement/TaxCurrencyCode
  7d $settlement/ApplicableTradeTax/TaxPointDate
  9d $settlement/SpecifiedTradePaymentTerms/DueDateDateTime
  10 $agreement/BuyerReference
  11 $agreement/SpecifiedProcuringProject/ID
  12 $agreement/ContractReferencedDocument/$number
  13 $agreement/BuyerOrderReferencedDocument/$number
  14 $agreement/SellerOrderReferencedDocument/$number
  15 $delivery/ReceivingAdviceReferencedDocument/$number
  16 $delivery/DespatchAdviceReferencedDocument|DeliveryNoteReferencedDocument/$number
  17 $agreement/AdditionalReferencedDocument[TypeCode=50]/$number
  18 $agreement/AdditionalReferencedDocument[TypeCode=130]/$number
  19 $settlement/ReceivableSpecifiedTradeAccountingAccount/ID
  20 $settlement/SpecifiedTradePaymentTerms/Description
  22 $document/IncludedNote/Content
  23 $context/BusinessProcessSpecifiedDocumentContextParameter/ID
  24 $context/GuidelineSpecifiedDocumentContextParameter/ID
  25 $settlement/InvoiceReferencedDocument/$number
  26d $settlement/InvoiceReferencedDocument/FormattedIssueDateTime|IssueDateTime
  32 $agreement/SellerTradeParty/SpecifiedTaxRegistration/ID[@schemeID=FC]
  33 $agreement/SellerTradeParty/Description
  59 $settlement/PayeeTradeParty/Name
  60 $settlement/PayeeTradeParty/ID|GlobalID
  61 $settlement/PayeeTradeParty/SpecifiedLegalOrganization/ID
  62 $agreement/SellerTaxRepresentativeTradeParty/Name
  63 $agreement/SellerTaxRepresentativeTradeParty/SpecifiedTaxRegistration/ID[@schemeID=VA]
  70 $delivery/ShipToTradeParty/Name
  71 $delivery/ShipToTradeParty/ID|GlobalID
  72d $delivery/ActualDeliverySupplyChainEvent/OccurrenceDateTime
  73d $settlement/BillingSpecifiedPeriod/StartDateTime
  74d $settlement/BillingSpecifiedPeriod/EndDateTime
  75 $delivery/ShipToTradeParty/PostalTradeAddress/LineOne
  77 $delivery/ShipToTradeParty/PostalTradeAddress/CityName
  78 $delivery/ShipToTradeParty/PostalTradeAddress/PostcodeCode
  80 $delivery/ShipToTradeParty/PostalTradeAddress/CountryID
  81 $settlement/SpecifiedTradeSettlementPaymentMeans/TypeCode
  82 $settlement/SpecifiedTradeSettlementPaymentMeans/Information
  83 $settlement/PaymentReference
  84 $settlement/SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/IBANID|ProprietaryID
  85 $settlement/SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/AccountName
  86 $settlement/SpecifiedTradeSettlementPaymentMeans/PayeeSpecifiedCreditorFinancialInstitution/BICID
  89 $settlement/SpecifiedTradePaymentTerms/DirectDebitMandateID
  90 $settlement/CreditorReferenceID
  91 $settlement/SpecifiedTradeSettlementPaymentMeans/PayerPartyDebtorFinancialAccount/IBANID
  92n $settlement/$allowance/ActualAmount
  97 $settlement/$allowance/Reason
  99n $settlement/$charge/ActualAmount
  104 $settlement/$charge/Reason
  106n $settlement/$sums/LineTotalAmount
  107n $settlement/$sums/AllowanceTotalAmount
  108n $settlement/$sums/ChargeTotalAmount
  109n $settlement/$sums/TaxBasisTotalAmount
  110n $settlement/$sums/TaxTotalAmount
  112n $settlement/$sums/GrandTotalAmount
  113n $settlement/$sums/TotalPrepaidAmount
  114n $settlement/$sums/RoundingAmount
  115n $settlement/$sums/DuePayableAmount
  116n $settlement/ApplicableTradeTax/BasisAmount
  117n $settlement/ApplicableTradeTax/CalculatedAmount
  118 $settlement/ApplicableTradeTax/CategoryCode
  119n $settlement/ApplicableTradeTax/RateApplicablePercent|ApplicablePercent
  ${parties.join("\n")}`

const line = `
  126 AssociatedDocumentLineDocument/LineID
  127 AssociatedDocumentLineDocument/IncludedNote/Content
  129n $lineDelivery/BilledQuantity|RequestedQuantity
  130 $lineDelivery/BilledQuantity|RequestedQuantity/@unitCode
  131n $lineSettlement/$lineSums/LineTotalAmount
  132 $lineAgreement/BuyerOrderReferencedDocument/LineID
  133 $lineSettlement/ReceivableSpecifiedTradeAccountingAccount/ID
  134d $lineSettlement/BillingSpecifiedPeriod/StartDateTime
  135d $lineSettlement/BillingSpecifiedPeriod/EndDateTime
  136n $lineSettlement/$allowance/ActualAmount
  141n $lineSettlement/$charge/ActualAmount
  146n $lineAgreement/NetPriceProductTradePrice/ChargeAmount
  147n $lineAgreement/GrossPriceProductTradePrice/AppliedTradeAllowanceCharge/ActualAmount
  148n $lineAgreement/GrossPriceProductTradePrice/ChargeAmount
  149n $lineAgreement/NetPriceProductTradePrice/BasisQuantity
  151 $lineSettlement/ApplicableTradeTax/CategoryCode
  152n $lineSettlement/ApplicableTradeTax/RateApplicablePercent|ApplicablePercent
  153 SpecifiedTradeProduct/Name
  154 SpecifiedTradeProduct/Description
  155 SpecifiedTradeProduct/SellerAssignedID
  156 SpecifiedTradeProduct/BuyerAssignedID
  157 SpecifiedTradeProduct/GlobalID
  159 SpecifiedTradeProduct/OriginTradeCountry/ID`

/** Cross Industry Invoice of UN/CEFACT, in the versions that Factur-X, ZUGFeRD, XRechnung and Order-X use. */
export const cii: InvoiceSyntax = {
  header: termPaths(header, parts),
  lines: parsePath(`${transaction}/IncludedSupplyChainTradeLineItem`),
  line: termPaths(line, parts),
  isIgnored: parsePath("AssociatedDocumentLineDocument/LineStatusReasonCode")
}
