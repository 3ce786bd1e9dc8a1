/** What is wrong with a TLS connection, by the code that Node gives; a phrase that goes on after "Cannot connect …:". */
const PROBLEMS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it shows a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an unknown authority',
  CERT_UNTRUSTED: 'its certificate is of an unknown authority',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  INVALID_PURPOSE: 'its certificate is not made for servers',
  CERT_REVOKED: 'its certificate was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it wants a client certificate',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'it wants a client certificate, or another version of TLS',
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 'it refuses the client certificate',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: 'it refuses the client certificate',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'it refuses the client certificate, which has expired',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'it refuses the client certificate, which is of an authority unknown to it',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS: is it http: instead of https:?',
};

/** The code of a failed connection, in words where it is about TLS: `its certificate has expired (CERT_HAS_EXPIRED)`. */
export function describeCode(code: string): string {
  const problem = PROBLEMS[code];
  return problem === undefined ? code : `${problem} (${code})`;
}
