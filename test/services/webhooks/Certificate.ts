/**
 * A certificate for `receiver.test`, signed by itself, and its key: for tests only, trusted by nobody else. Made with
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj /CN=receiver.test
 * -addext subjectAltName=DNS:receiver.test`.
 */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgThntn7AGy/BR1TJv
00Gow4LNu7a951gzdE7cEnyqXWChRANCAAQLiVGaRhLHsxy+quh5jQr7AnSHBfIs
cGT2OIWr35CG4ZuJGU7Jba1MvuQqTs+TkwG8uKwsfpXgSjqYlRQslSFw
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIUTOGkwbsS0JtCZ3R8M1PRJ+ThMgkwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDAgFw0yNjExMjEwMDA2MDZaGA8yMTI2
MTAyODAwMDYwNlowGDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABAuJUZpGEsezHL6q6HmNCvsCdIcF8ixwZPY4havfkIbh
m4kZTsltrUy+5CpOz5OTAby4rCx+leBKOpiVFCyVIXCjbTBrMB0GA1UdDgQWBBRm
1fHZbGqdA2sgUzfDwqidKqTlIDAfBgNVHSMEGDAWgBRm1fHZbGqdA2sgUzfDwqid
KqTlIDAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDXJlY2VpdmVyLnRlc3Qw
CgYIKoZIzj0EAwIDSAAwRQIgHH86//THKltmZi1vayUhqM72lMkLAeocE/pAnC8B
V3gCIQD173YSODUCtFSntZpKlK5zG0NnxvGyg5jVgL9em5jrYg==
-----END CERTIFICATE-----
`
}
