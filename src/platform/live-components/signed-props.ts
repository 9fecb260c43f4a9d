import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedProps } from '#shared/live/components.ts';
import type { Clock } from '#platform/clock.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import type { Principal } from '#platform/http/server.ts';

/** A page that was open longer is loaded anew; sessions end earlier when nobody does anything. */
const VALID_MS = 24 * 60 * 60_000;

/** The code of props that we did not sign so. */
export const PROPS_FORGED = 'live_props_forged';
export const liveComponentNotFound = () => notFound('Diese Live-Komponente');
/** Whom props are made for. A token of the API has no user. */
const userOf = ({ userId, email }: Principal): string => userId ?? email;

type Named = { readonly name: string; readonly version: number };
type Content = Pick<SignedProps, 'values' | 'id' | 'inputs'>;

/** Signs what a component keeps in the page, so that it comes back as it was sent, to whom and for what it was sent. */
export class PropsSigner {
  private readonly key: Buffer;
  private readonly clock: Clock;

  /** `secret`: the installation's; the signatures have a key of their own, derived from it. */
  constructor(secret: string, clock: Clock) {
    this.key = createHmac('sha256', secret).update('kontor live components').digest();
    this.clock = clock;
  }

  sign({ name, version }: Named, { values, id, inputs }: Content, principal: Principal): SignedProps {
    const issued = this.clock.now().getTime();
    const unsigned = { values, id, inputs, version, company: principal.company, user: userOf(principal), issued };
    return { ...unsigned, signature: this.signatureOf(name, unsigned).toString('base64url') };
  }

  /** @throws KontorError for props that are not ours (403), somebody else's (404), or too old (410) */
  verify({ name, version }: Named, props: SignedProps, principal: Principal): void {
    const { signature, ...unsigned } = props;
    const expected = this.signatureOf(name, unsigned);
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw forged();
    if (props.company !== principal.company || props.user !== userOf(principal)) throw liveComponentNotFound();
    const age = this.clock.now().getTime() - props.issued;
    if (props.version !== version || age > VALID_MS) throw outdated();
  }

  private signatureOf(name: string, unsigned: Omit<SignedProps, 'signature'>): Buffer {
    return createHmac('sha256', this.key)
      .update(stableJson({ name, ...unsigned }))
      .digest();
  }
}

const forged = () =>
  new KontorError(
    403,
    PROPS_FORGED,
    'Die Angaben dieser Ansicht stammen nicht von Kontor. Es wurde nichts geändert; bitte laden Sie die Seite neu.',
  );
const outdated = () =>
  new KontorError(
    410,
    'live_props_outdated',
    'Diese Ansicht ist veraltet. Es wurde nichts geändert; bitte laden Sie die Seite neu.',
  );

/** What a parent gave its child, in short: the same inputs have the same fingerprint. */
export const fingerprintOf = (name: string, inputs: Readonly<Record<string, unknown>>): string =>
  createHash('sha256').update(stableJson({ name, inputs })).digest('base64url').slice(0, 22);

/** JSON with the names of every object in one order, so that equal values have equal texts. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
