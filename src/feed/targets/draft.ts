/** An entry as a reader found it. `parent`: the id of the entry above, where the list says it that way. */
export type Draft = {
  readonly id: string;
  readonly name: string;
  readonly info: string;
  readonly path?: readonly string[];
  readonly parent?: string;
  readonly attributes?: { readonly name: string; readonly required: boolean }[];
};

/** Why a list cannot be taken, in German. */
export class ListRefused extends Error {
  override readonly name = 'ListRefused';
}
