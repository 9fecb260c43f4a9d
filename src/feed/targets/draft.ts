/** An entry as parsed. `parent`: the id of the entry above, if the list states it that way. */
export type Draft = {
  readonly id: string;
  readonly name: string;
  readonly info: string;
  readonly path?: readonly string[];
  readonly parent?: string;
  readonly attributes?: { readonly name: string; readonly required: boolean }[];
};

/** Thrown with the German reason why a list cannot be accepted. */
export class ListRefused extends Error {
  override readonly name = 'ListRefused';
}
