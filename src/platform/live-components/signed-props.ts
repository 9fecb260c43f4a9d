import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedProps } from '#shared/live/components.ts';
import type { Clock } from '#platform/clock.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import type { Principal } from '#platform/http/server.ts';

/** How long props are valid, in ms: a page open for longer must reload. Sessions end earlier when idle. */
const VALID_MS = 24 * 60 * 60_000;

/** Error code for props whose signature is not ours. */
export const PROPS_FORGED = 'live_props_forged';
export const liveComponentNotFound = () => notFound('Diese Live-Komponente');
/** The user that props are made for. An API token has no user id. */
const userOf = ({ userId, email }: Principal): string => userId ?? email;

type Named = { readonly name: string; readonly version: number };
type Content = Pick<SignedProps, 'values' | 'id' | 'inputs'>;

/** Signs a component's props, so that they come back unchanged, from the same user and for the same component. */
export class PropsSigner {
  private readonly key: Buffer;
  private readonly clock: Clock;

  /** `secret`: the installation's secret; the key of the signatures is derived from it. */
  constructor(secret: string, clock: Clock) {
    this.key = createHmac('sha256', secret).update('kontor live components').digest();
    this.clock = clock;
  }

  sign({ name, version }: Named, { values, id, inputs }: Content, principal: Principal): SignedProps {
    const issued = this.clock.now().getTime();
    const unsigned = { values, id, inputs, version, company: principal.company, user: userOf(principal), issued };
    return { ...unsigned, signature: this.signatureOf(name, unsigned).toString('base64url') };
  }

  /** Verifies props. @throws KontorError for props not signed by us (403), made for another user (404), or too old (410) */
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

/** Returns a short hash of a child's inputs: equal inputs have equal fingerprints. */
export const fingerprintOf = (name: string, inputs: Readonly<Record<string, unknown>>): string =>
  createHash('sha256').update(stableJson({ name, inputs })).digest('base64url').slice(0, 22);

/** Returns JSON with the keys of every object sorted, so that equal values have equal texts. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
