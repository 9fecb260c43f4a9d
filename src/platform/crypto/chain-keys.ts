import type { Database, Trx } from '#platform/db/database.ts';
import { formerKeyPlace } from './installation-keys.ts';
import { Vault } from './vault.ts';

/** Hash chains keyed with the installation's secret, by the table that stores their ends when the secret is rotated. */
export const chains = ['decision_anchors', 'security_anchors'] as const;
export type Chain = (typeof chains)[number];

/** End of a chain when former secret `key` was replaced, and the link up to which it was pruned by then (0: not at all). */
export type Anchor = { key: number; number: number; hash: string; pruned: number };

/** Returns the keyed hash of an anchor. The hashed text must never change. */
export const anchorMark = (vault: Vault, company: string, chain: Chain, anchor: Anchor): string => {
  const { key, number, hash, pruned } = anchor;
  return vault.mark(company, `anchor ${JSON.stringify([chain, key, number, hash, pruned])}`);
};

/** Verifies the keyed hashes of a chain whose links were made under successive secrets. */
export class ChainKeys {
  private readonly current: Vault;
  private readonly former: ReadonlyMap<number, Vault>;
  private readonly anchors: readonly Anchor[];

  /** `anchors`: in the order of their keys. */
  constructor(current: Vault, former: ReadonlyMap<number, Vault>, anchors: readonly Anchor[]) {
    this.current = current;
    this.former = former;
    this.anchors = anchors;
  }

  /** Whether link `number` has the hash that `markOf` makes. If its secret is lost, only an anchor at this link can tell. */
  fits(link: { number: number; hash: string }, markOf: (vault: Vault) => string): boolean {
    const anchor = this.anchors.find(({ number }) => number >= link.number);
    const matchesAnchors = this.anchors.every(({ number, hash }) => number !== link.number || hash === link.hash);
    return matchesAnchors && isMark(this.vaultOf(anchor), link.hash, markOf);
  }

  /** Verifies in the same way the seal that replaces the pruned links up to `number`. */
  sealFits({ number, seal }: { number: number; seal: string }, sealOf: (vault: Vault) => string): boolean {
    return isMark(this.vaultOf(this.anchors.find(({ pruned }) => pruned >= number)), seal, sealOf);
  }

  /** The number that the chain must reach at least. */
  get least(): number {
    return this.anchors.at(-1)?.number ?? 0;
  }

  private vaultOf(anchor: Anchor | undefined): Vault | undefined {
    return anchor === undefined ? this.current : this.former.get(anchor.key);
  }
}

const isMark = (vault: Vault | undefined, mark: string, markOf: (vault: Vault) => string): boolean =>
  vault === undefined || markOf(vault) === mark;

/** Returns the verifier of a company's chain; undefined if its stored anchors were tampered with. */
export async function chainKeys(
  { database, vault }: { database: Database; vault: Vault },
  company: string,
  chain: Chain,
): Promise<ChainKeys | undefined> {
  const anchors = await database.company(company, (trx) => anchorsOf(trx, company, chain));
  if (anchors.some(({ mark, ...anchor }) => mark !== anchorMark(vault, company, chain, anchor))) return undefined;
  const former = anchors.length === 0 ? new Map<number, Vault>() : await formerVaults(database, vault);
  return new ChainKeys(vault, former, anchors);
}

/** Returns a chain's anchors in the order of their keys. */
export const anchorsOf = (trx: Trx, company: string, chain: Chain): Promise<(Anchor & { mark: string })[]> =>
  trx
    .selectFrom(chain)
    .select(['key', 'number', 'hash', 'pruned', 'mark'])
    .where('company', '=', company)
    .orderBy('key')
    .execute();

/** Returns former secrets by number. Lost ones are stored as '' and left out, so that none can be declared lost later. */
async function formerVaults(database: Database, vault: Vault): Promise<Map<number, Vault>> {
  const rows = await database.kysely
    .selectFrom('installation_keys')
    .select(['number', 'sealed'])
    .where('state', '=', 'former')
    .execute();
  const secrets = rows.map(({ number, sealed }) => [number, vault.open(...formerKeyPlace(number), sealed)] as const);
  return new Map(secrets.flatMap(([number, secret]) => (secret === '' ? [] : [[number, new Vault(secret)] as const])));
}
