import type { Database, Trx } from '#platform/db/database.ts';
import { formerKeyPlace } from './installation-keys.ts';
import { Vault } from './vault.ts';

/** Chains whose links are marked under the installation's secret, by the table that keeps their ends at a rotation. */
export const chains = ['decision_anchors', 'security_anchors'] as const;
export type Chain = (typeof chains)[number];

/** Where a chain ended when former secret `key` was replaced, and up to where it was pruned by then (0: not at all). */
export type Anchor = { key: number; number: number; hash: string; pruned: number };

/** The mark of an anchor. Its text must never change. */
export const anchorMark = (vault: Vault, company: string, chain: Chain, anchor: Anchor): string => {
  const { key, number, hash, pruned } = anchor;
  return vault.mark(company, `anchor ${JSON.stringify([chain, key, number, hash, pruned])}`);
};

/** Verifies marks of a chain whose links were marked under one secret after the other. */
export class ChainKeys {
  private readonly current: Vault;
  private readonly former: ReadonlyMap<number, Vault>;
  private readonly anchors: readonly Anchor[];

  /** `anchors` in the order of their keys. */
  constructor(current: Vault, former: ReadonlyMap<number, Vault>, anchors: readonly Anchor[]) {
    this.current = current;
    this.former = former;
    this.anchors = anchors;
  }

  /** Whether link `number` has the mark that `markOf` makes; of a link whose secret is lost nobody knows, its anchor holds it. */
  fits(link: { number: number; hash: string }, markOf: (vault: Vault) => string): boolean {
    const anchor = this.anchors.find(({ number }) => number >= link.number);
    const matchesAnchors = this.anchors.every(({ number, hash }) => number !== link.number || hash === link.hash);
    return matchesAnchors && isMark(this.vaultOf(anchor), link.hash, markOf);
  }

  /** The same for the seal of what stands in place of the links up to `number`, which were pruned. */
  sealFits({ number, seal }: { number: number; seal: string }, sealOf: (vault: Vault) => string): boolean {
    return isMark(this.vaultOf(this.anchors.find(({ pruned }) => pruned >= number)), seal, sealOf);
  }

  /** The number that the chain reaches at least. */
  get least(): number {
    return this.anchors.at(-1)?.number ?? 0;
  }

  private vaultOf(anchor: Anchor | undefined): Vault | undefined {
    return anchor === undefined ? this.current : this.former.get(anchor.key);
  }
}

const isMark = (vault: Vault | undefined, mark: string, markOf: (vault: Vault) => string): boolean =>
  vault === undefined || markOf(vault) === mark;

/** What verifies a chain of a company; undefined: what was kept of its ends was changed since. */
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

/** A chain's anchors in the order of their keys. */
export const anchorsOf = (trx: Trx, company: string, chain: Chain): Promise<(Anchor & { mark: string })[]> =>
  trx
    .selectFrom(chain)
    .select(['key', 'number', 'hash', 'pruned', 'mark'])
    .where('company', '=', company)
    .orderBy('key')
    .execute();

/** Former secrets by their number, but for those that were lost: of those '' is kept, so that nobody can make one lost afterwards. */
async function formerVaults(database: Database, vault: Vault): Promise<Map<number, Vault>> {
  const rows = await database.kysely
    .selectFrom('installation_keys')
    .select(['number', 'sealed'])
    .where('state', '=', 'former')
    .execute();
  const secrets = rows.map(({ number, sealed }) => [number, vault.open(...formerKeyPlace(number), sealed)] as const);
  return new Map(secrets.flatMap(([number, secret]) => (secret === '' ? [] : [[number, new Vault(secret)] as const])));
}
