import { createHash, createHmac } from 'node:crypto';

/** Credentials for a service of Amazon Web Services, or one with the same protocol, and the service. */
export type AwsAccess = { keyId: string; secret: string; region: string; service: string };
type RequestToSign = {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** The text of the body, or its SHA-256 (hex). */
  body: string | { sha256: string };
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Percent-encodes strictly by RFC 3986, which leaves fewer characters unescaped than JavaScript does. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns a query in the order that is signed; the request's URL must have the same form. */
export function canonicalQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
}

/**
 * Returns the headers that sign a request: AWS Signature Version 4 (docs.aws.amazon.com, "Create a signed AWS API request"). All
 * given headers are signed, and `host`. The query must have the form of `canonicalQuery`, and the path must need no escapes.
 */
export function signatureOf(
  { method, url, headers, body }: RequestToSign,
  access: AwsAccess,
  now: Date,
): { 'x-amz-date': string; authorization: string } {
  const stamp = stampOf(now);
  const all = Object.entries({ ...headers, host: url.host, 'x-amz-date': stamp })
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim()])
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const names = all.map(([name]) => name).join(';');
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...all.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    typeof body === 'string' ? sha256(body) : body.sha256,
  ];
  const signature = signed(canonical, access, stamp);
  return {
    'x-amz-date': stamp,
    authorization: `AWS4-HMAC-SHA256 Credential=${access.keyId}/${scopeOf(access, stamp)}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/**
 * Returns an address at which anybody may GET `url` for the given seconds from `now`, without a header: the same signature, in
 * the query. `query`: further parameters; none of them can be changed afterwards.
 */
export function signedAddress(
  url: URL,
  query: Readonly<Record<string, string>>,
  access: AwsAccess,
  { now, seconds }: { now: Date; seconds: number },
): string {
  const stamp = stampOf(now);
  const search = canonicalQuery({
    ...query,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${access.keyId}/${scopeOf(access, stamp)}`,
    'X-Amz-Date': stamp,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': 'host',
  });
  const canonical = ['GET', url.pathname, search, `host:${url.host}`, '', 'host', 'UNSIGNED-PAYLOAD'];
  return `${url.origin}${url.pathname}?${search}&X-Amz-Signature=${signed(canonical, access, stamp)}`;
}

const stampOf = (now: Date): string => now.toISOString().replace(/[:-]|\.\d{3}/g, '');
const scopeOf = ({ region, service }: AwsAccess, stamp: string): string =>
  `${stamp.slice(0, 8)}/${region}/${service}/aws4_request`;

function signed(canonical: readonly string[], access: AwsAccess, stamp: string): string {
  const { secret, region, service } = access;
  const toSign = ['AWS4-HMAC-SHA256', stamp, scopeOf(access, stamp), sha256(canonical.join('\n'))].join('\n');
  const key = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, stamp.slice(0, 8)));
  return hmac(key, toSign).toString('hex');
}
