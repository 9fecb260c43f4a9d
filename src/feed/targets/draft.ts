import { integerText } from '#shared/values/integer-text.ts';

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

/** The deepest level read: deeper trees are no categories, and the limit keeps a hostile file from exhausting stack and memory. */
export const MAX_DEPTH = 40;
export const tooDeep = () => new ListRefused(`Der Baum ist tiefer als ${MAX_DEPTH} Ebenen.`);

const MOST_SHOWN = 40;
export const tooLong = (what: string, text: string, most: number) =>
  new ListRefused(`${what} „${text.slice(0, MOST_SHOWN)}…“ ist länger als ${integerText(most)} Zeichen.`);
