import type { CatalogueRef } from './catalogue-ref.ts';
import type { RepricerField } from '#shared/repricer/history.ts';

/** What the fields of items depend on: number of the snapshot, revisions of the master's rules and mappings. */
export type FieldsBasis = { readonly snapshot: number; readonly rules: number; readonly mappings: number };

/**
 * Where fields of all items of a master can be read as an export sees them behind the master's rules and mappings: a Parquet file
 * with the items' numbers in `_id`, the column of each field in it (by the name that asks for it), and the column that says
 * whether the item is still there. Without one all are: it is the snapshot itself.
 */
export type FieldSource = {
  readonly path: string;
  readonly columns: ReadonlyMap<string, string>;
  readonly kept: string | undefined;
};

export type FieldsState =
  | { readonly kind: 'ready'; readonly source: FieldSource }
  /** They are being computed; `underWay` names the master until that is over. */
  | { readonly kind: 'building'; readonly since: Date }
  /** They could not be computed and will be tried again at `again`. Nothing else may take their place. `reason`: words for people, if there are any. */
  | { readonly kind: 'failed'; readonly since: Date; readonly again: Date; readonly reason: string | undefined };

/**
 * The fields of items as they are after the master's rules and mappings. Rules may rank over the whole catalogue, so it is
 * always computed as a whole, once for everybody who asks.
 */
export interface MaterialisedFieldSource {
  /** Does not wait: starts the computation where the fields are missing. */
  look(ref: CatalogueRef, basis: FieldsBasis, names: ReadonlySet<string>): Promise<FieldsState>;
  /** What `look` would say, but begins nothing; undefined: they are not there, and nobody has looked for them in this process. */
  peek(ref: CatalogueRef, basis: FieldsBasis, names: ReadonlySet<string>): Promise<FieldsState | undefined>;
  /** Waits until it is there. @throws a German refusal where it cannot be computed */
  wait(ref: CatalogueRef, basis: FieldsBasis, names: ReadonlySet<string>, signal?: AbortSignal): Promise<FieldSource>;
  /** Identifies the field values: the same text means the same values. @throws where the rules cannot be read */
  identity(ref: CatalogueRef, basis: FieldsBasis, names: ReadonlySet<string>): Promise<string>;
  /** Masters for which `look` waits at the moment. */
  underWay(): readonly CatalogueRef[];
  /** Whether `look` failed for a master and its time to try again has come. */
  mayTryAgain(ref: CatalogueRef): boolean;
  /** Every field that can be read, with a value of it as it is after the master's rules and mappings. */
  offered(ref: CatalogueRef): Promise<RepricerField[]>;
}
