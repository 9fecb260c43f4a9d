/** An entry as parsed. `parent`: the id of the entry above, if the list states it that way. */
export type Draft = {
  readonly id: string;
  readonly name: string;
  readonly info: string;
  readonly path?: readonly string[];
  readonly parent?: string;
  readonly attributes?: { readonly name: string; readonly required: boolean }[];
};

/** Thrown with the German reason why a list cannot be accepted. `no_list`: it has no entries, so it may be something else. */
export class ListRefused extends Error {
  override readonly name = 'ListRefused';
  readonly code: 'no_list' | 'list_unreadable';
  constructor(message: string, code: ListRefused['code'] = 'list_unreadable') {
    super(message);
    this.code = code;
  }
}
