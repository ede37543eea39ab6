import { list, type Preset } from "./Preset.ts"

/** The one who is invoiced. */
const customerName: Preset = {
  type: "string",
  finder: "customer",
  term: "BT-44",
  labels: list(`
      Bill To; Billed To; Invoice To; Invoiced To; Sold To; Customer; Client; Buyer; Bill to Address; Billing Address; Invoice Address; Customer Name; Guest Name; Invoice For;
      Rechnungsempfänger; Rechnung an; Käufer; Käufer/Leistungsempfänger; Leistungsempfänger; Kunde; Rechnungsadresse; Rechnungsanschrift; Empfänger;
      Facturé à; Client; Acheteur; Adresse de facturation; Destinataire; Client facturé;
      Factuur aan; Klant; Koper; Factuuradres; Afnemer; Aan;
      Facturar a; Cliente; Comprador; Datos del cliente; Destinatario; Fatturare a; Intestatario; Spett.le; Acquirente; Cessionario; Dati del cliente;
      Faturar a; Exmo.(s) Sr.(s); Adquirente; Destinatário; Nabywca; Odbiorca; Klient; Faktureras till; Fakturaadress; Kund; Köpare; Faktureres til; Fakturaadresse; Køber;
    `),
  weak: list(
    `To; Attn; Attention; An; Ship To; Deliver To; Lieferadresse; Adresse de livraison; Leveringsadres;`
  ),
  not: list(`
      Customer No; Customer ID; Cod. cliente; Kod klienta; Code client; Codice cliente; Customer Number; Kunden-Nr; Debitor; Client No; Customer VAT No; Kundennummer; N° client; Klantnummer; Código cliente; Codice cliente; Nr klienta; Kundnummer; Kundenummer;
      Seller; Vendor; Supplier; From; Verkäufer; Lieferant; Vendeur; Émetteur; Verkoper; Vendedor; Emisor; Fornitore; Sprzedawca; Säljare; Sælger; Customer Service; Kundenservice;
    `)
}

const customers = list(`
      Customer VAT No; Customer VAT ID; Your VAT No; Client VAT No; Buyer VAT No; VAT No. customer; Ihre USt-IdNr; USt-IdNr. Kunde; Kunden USt-ID; USt-IdNr. des Leistungsempfängers;
      N° TVA client; TVA client; BTW-nummer klant; Uw BTW-nummer; NIF cliente; CIF cliente; P. IVA cliente; NIF do cliente; NIP nabywcy; Kundens momsnr;
    `)

const vendorVatId: Preset = {
  type: "vatId",
  pick: "first",
  term: "BT-31",
  labels: list(`
      VAT No; VAT ID; VAT Reg No; VAT Number; VAT Registration Number; VAT; Seller VAT ID; GST No; Tax ID;
      USt-IdNr; USt-ID; USt.-Id.-Nr; Umsatzsteuer-ID; USt.-Identnr; UID; UID-Nr; MWST-Nr;
      N° TVA; Numéro de TVA; TVA intracommunautaire; N° TVA intracom; N° TVA intracommunautaire; TVA;
      BTW-nummer; BTW nr; BTW-id; BTW; BTW identificatienummer; NIF; CIF; NIF-IVA; N.º IVA; P. IVA; Partita IVA; P.IVA; C.F./P. IVA;
      Contribuinte n.º; Contribuinte; NIPC; NIP; NIP UE; VAT UE; Momsreg.nr; Momsregistreringsnummer; VAT-nr; Momsnr; CVR-nr; CVR; SE-nr; Moms nr;
    `),
  not: customers
}

const customerVatId: Preset = { type: "vatId", term: "BT-48", labels: customers }

const purchaseOrder: Preset = {
  type: "identifier",
  term: "BT-13",
  labels: list(`
      PO Number; Purchase Order; Purchase Order No; PO No; PO #; P.O. No; P.O. #; PO; P.O.; Your Order No; Your Order; Customer PO; Customer Order No; Order No; Order Number; Order #; Order ID; Your Reference; Cust. PO;
      Bestellnummer; Bestell-Nr; Ihre Bestellung; Ihre Bestellnummer; Bestellung Nr; Auftragsnummer; Auftrags-Nr; Ihr Auftrag;
      N° de commande; Commande n°; Votre commande; Bon de commande; Numéro de commande; Réf. commande;
      Ordernummer; Inkoopordernummer; Inkooporder; Bestelnummer; Uw referentie; Uw order; Order nr;
      Nº de pedido; Número de pedido; Su pedido; Pedido n.º; Orden de compra; Pedido; Ordine n.; Vs. ordine; Numero ordine; Rif. ordine; N. ordine;
      Encomenda n.º; N.º da encomenda; Ordem de compra; Sua encomenda; Numer zamówienia; Zamówienie nr; Nr zamówienia; Ert ordernr; Beställningsnummer; Ordernr; Ordrenummer; Deres ordre; Rekvisitionsnr; Ordrenr;
    `),
  weak: list(
    `Reference; Ref; Your Ref; Referenz; Référence; Referentie; Referencia; Riferimento; Referência; Er referens; Deres ref;`
  ),
  not: list(
    `Order Date; Bestelldatum; Date de commande; Orderdatum; Fecha de pedido; Order Total; Invoice Ref; Payment Reference; Order by;`
  )
}

const iban: Preset = {
  type: "iban",
  term: "BT-84",
  labels: list(
    `IBAN; IBAN No; Account IBAN; IBAN Code; Bankkonto; Bank Account; Account Number; Nr konta; Konto; Compte bancaire; Cuenta; Rekening;`
  )
}

const vendorEmail: Preset = {
  type: "email",
  pick: "first",
  term: "BT-43",
  labels: list(
    `E-Mail; Email; Mail; Contact; E-mailadres; Courriel; Correo; Correo electrónico; Kontakt; E-post;`
  )
}

const vendorPhone: Preset = {
  type: "phone",
  pick: "first",
  term: "BT-42",
  labels: list(
    `Tel; Telephone; Phone; Tel. No; Telefon; Fon; Téléphone; Tél; Telefoon; Teléfono; Telefono; Telefone; Tlf; Mobile; Mobil;`
  ),
  not: list(`Fax; Telefax; Fax No;`)
}

/** Who is on an invoice, and the numbers they go by. */
export const partyPresets = {
  "invoice.customerName": customerName,
  "invoice.vendorVatId": vendorVatId,
  "invoice.customerVatId": customerVatId,
  "invoice.purchaseOrder": purchaseOrder,
  "invoice.iban": iban,
  "invoice.vendorEmail": vendorEmail,
  "invoice.vendorPhone": vendorPhone
} satisfies Readonly<Record<string, Preset>>
