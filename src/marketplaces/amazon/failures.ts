import type { Exchanged } from '#platform/egress/body.ts';
import { KontorError } from '#platform/errors.ts';
import { neverSent } from '#marketplaces/never-sent.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import { ErrorAnswer } from './answers.ts';

/** Whether a retry could do harm: if the answer to a write is lost, nobody knows what the write did. */
export type Access = 'read' | 'write';

/** What a call is about. Amazon's 404 does not say what is missing. */
export type Subject = 'sku' | 'order' | 'feed';

const LIMIT_PAUSE_MS = 2000;
const HOUR_MS = 60 * 60_000;

/** German texts of error and issue codes whose meaning for the merchant we know. */
const germanCodes: Readonly<Record<string, string>> = {
  InvalidInput: 'Amazon kann die Angaben so nicht verarbeiten.',
  'Invalid Input': 'Amazon kann die Angaben so nicht verarbeiten.',
  BAD_REQUEST: 'Amazon kann die Angaben so nicht verarbeiten.',
  INVALID_ASIN: 'Diese ASIN gibt es bei Amazon nicht.',
  INVALID_SKU: 'Diese SKU gibt es in Ihrem Verkäuferkonto nicht.',
  NOT_FOUND: 'Diese SKU gibt es in Ihrem Verkäuferkonto nicht.',
  NotFound: 'Diese SKU gibt es in Ihrem Verkäuferkonto nicht.',
  Unauthorized: 'Amazon lehnt den Zugang ab. Bitte die Zugangsdaten prüfen und die Freigabe der Anwendung erneuern.',
  AccessDenied: 'Der Anwendung fehlt bei Amazon die nötige Berechtigung (Rolle „Pricing“ oder „Product Listing“).',
  RateLimited: 'Amazon bremst: zu viele Anfragen.',
  QuotaExceeded: 'Amazon bremst: zu viele Anfragen.',
  InternalFailure: 'Amazon ist gestört.',
  ServiceUnavailable: 'Amazon ist gestört.',
  INVALID_PRICE: 'Amazon lehnt den Preis ab: er liegt außerhalb der bei Amazon hinterlegten Grenzen.',
  MISSING_ATTRIBUTE: 'Amazon fehlt eine Pflichtangabe zu diesem Artikel.',
};

/** What a 404 means, by the subject of the call. */
const germanMissing: Readonly<Record<Subject, string>> = {
  sku: 'Diese SKU gibt es in Ihrem Verkäuferkonto nicht.',
  order: 'Diese Bestellung gibt es bei Amazon nicht.',
  feed: 'Diesen Auftrag gibt es bei Amazon nicht (mehr).',
};
const ORDER_ROLE = 'Rolle „Inventory and Order Tracking“';
const germanDenied: Readonly<Partial<Record<Subject, string>>> = {
  order: `Der Anwendung fehlt bei Amazon die Berechtigung für Bestellungen (${ORDER_ROLE}, für Anschriften „Direct-to-Consumer Shipping“).`,
  feed: `Der Anwendung fehlt bei Amazon die Berechtigung für Bestellungen (${ORDER_ROLE}).`,
};
/** Returned by confirmShipment for a parcel that cannot be changed, or for an order with nothing left to ship. */
const ALREADY_SHIPPED = /PackageToUpdateNotFound|already (?:been )?fulfilled/iu;

/** Returns the German text of a code or category; an unknown one is shown in Amazon's own words. */
export function germanOf(codes: readonly string[], message: string): string {
  const known = codes.map((code) => germanCodes[code]).find((words) => words !== undefined);
  if (known === undefined) return message === '' ? 'Amazon nennt keinen Grund.' : `Amazon meldet: ${message}`;
  return known;
}

/** Returns the error of an unsuccessful answer. `pauseMs`: how long to wait after too many calls if the answer does not say. */
export function failureOfStatus(
  { status, header, text }: Exchanged,
  access: Access,
  { pauseMs = LIMIT_PAUSE_MS, about = 'sku' }: { pauseMs?: number | undefined; about?: Subject | undefined } = {},
) {
  const [error] = errorsOf(text);
  const code = error?.code ?? '';
  const more = code === '' ? {} : { code };
  const words = germanOf([code], error?.message ?? '');
  if (status === 401 || status === 403) {
    const denied = code === 'AccessDenied' ? germanDenied[about] : undefined;
    return new MarketplaceError('auth', denied ?? germanOf([code, 'Unauthorized'], ''), more);
  }
  if (status === 429) {
    const after = Number(header('retry-after'));
    return new MarketplaceError('retryable', germanOf(['RateLimited'], ''), {
      delayMs: after > 0 ? Math.min(after * 1000, HOUR_MS) : pauseMs,
    });
  }
  if (status === 409) return new MarketplaceError('conflict', words, more);
  if (status >= 500 || status === 408)
    return new MarketplaceError(access === 'write' ? 'unknown' : 'retryable', `Amazon ist gestört (HTTP ${status}).`);
  if (status === 404) return new MarketplaceError('permanent', germanMissing[about], { ...more, field: about });
  if (status >= 400) {
    if (ALREADY_SHIPPED.test(error?.message ?? ''))
      return new MarketplaceError('conflict', 'Amazon hat für diese Bestellung schon eine andere Sendung.', more);
    // Such a code has many possible reasons, so about an order Amazon's own words say more.
    const own = about === 'sku' ? words : germanOf([], error?.message ?? '');
    const field = error?.details ?? '';
    return new MarketplaceError('permanent', own, field === '' ? more : { ...more, field });
  }
  return unreadable(access);
}

const TOKEN_ENDED = /\btoken\b.*\b(?:expired|revoked|malformed|invalid)\b/iu;

/**
 * Whether another token may help. Amazon also answers a missing role with 403 and 'Access … is denied': only the details differ.
 */
export const refusesToken = ({ status, text }: Exchanged): boolean =>
  status === 401 ||
  (status === 403 && errorsOf(text).some(({ message, details }) => TOKEN_ENDED.test(`${message} ${details}`)));

function errorsOf(text: string): { code: string; message: string; details: string }[] {
  const parsed = ErrorAnswer.safeParse(jsonOf(text));
  return parsed.success ? parsed.data.errors : [];
}

/** Parses the JSON of an answer; undefined: it is not JSON (an error page, a truncated answer). */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const unreadable = (access: Access) =>
  new MarketplaceError(
    access === 'write' ? 'unknown' : 'retryable',
    'Amazon antwortet unverständlich (keine Antwort der Schnittstelle).',
  );

/** Returns the error of a call that got no answer at all. */
export function failureOfConnection(error: unknown, access: Access): MarketplaceError {
  if (error instanceof MarketplaceError) return error;
  const refused = error instanceof KontorError && ['address_refused', 'address_unreadable'].includes(error.code);
  if (refused)
    return new MarketplaceError('retryable', 'Die Adresse der Schnittstelle ist nicht erreichbar.', {
      delayMs: 5 * 60_000,
      cause: error,
    });
  const sent = !neverSent(error);
  return new MarketplaceError(
    access === 'write' && sent ? 'unknown' : 'retryable',
    sent ? 'Amazon hat nicht geantwortet.' : 'Amazon ist nicht erreichbar.',
    { cause: error },
  );
}
