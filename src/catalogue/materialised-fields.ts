import type { CatalogueRef } from './catalogue-ref.ts';
import type { RepricerField } from '#shared/repricer/history.ts';

/** What materialised fields depend on: snapshot number, revisions of the master's rules and mappings. */
export type FieldsBasis = { readonly snapshot: number; readonly rules: number; readonly mappings: number };

/**
 * A source of all items' fields after the master's rules and mappings: a Parquet file with the item numbers in `_id`, the column
 * of each field (by the requested name), and the column that says whether the rules keep the item. Without that column all are
 * kept: the file is the snapshot.
 */
export type FieldSource = {
  readonly path: string;
  readonly columns: ReadonlyMap<string, string>;
  readonly kept: string | undefined;
};

export type FieldsState =
  | { readonly kind: 'ready'; readonly source: FieldSource }
  /** They are being computed; `underWay` lists the master until that ends. */
  | { readonly kind: 'building'; readonly since: Date }
  /** Computing failed and is retried at `again`; no older values may be used instead. `reason`: a text for users, if any. */
  | { readonly kind: 'failed'; readonly since: Date; readonly again: Date; readonly reason: string | undefined };

/**
 * Fields of items after the master's rules and mappings. Rules may rank over the whole catalogue, so it is always computed as a
 * whole, once for all callers.
 */
export interface MaterialisedFieldSource {
  /** Returns the state at once; starts the computation if the fields are missing. */
  look(ref: CatalogueRef, basis: FieldsBasis, names: ReadonlySet<string>): Promise<FieldsState>;
  /**
   * Returns the state without starting a computation; undefined: they are missing, and this process has not tried to compute
   * them.
   */
  peek(ref: CatalogueRef, basis: FieldsBasis, names: ReadonlySet<string>): Promise<FieldsState | undefined>;
  /** Waits for the fields. @throws a German error if they cannot be computed */
  wait(ref: CatalogueRef, basis: FieldsBasis, names: ReadonlySet<string>, signal?: AbortSignal): Promise<FieldSource>;
  /** Returns an id of the field values: equal ids mean equal values. @throws if the rules cannot be read */
  identity(ref: CatalogueRef, basis: FieldsBasis, names: ReadonlySet<string>): Promise<string>;
  /** Masters whose fields are being computed because of `look`. */
  underWay(): readonly CatalogueRef[];
  /** Whether `look` failed for a master and the time to retry has come. */
  mayTryAgain(ref: CatalogueRef): boolean;
  /** Returns every readable field, with an example value after the master's rules and mappings. */
  offered(ref: CatalogueRef): Promise<RepricerField[]>;
}
