import type { Columns } from './columns.ts';

/** Columns of tree-shaped items (JSON, XML), one per path. Paths with equal text (`a.b` as a key, `b` in `a`) stay separate. */
export class FlatColumns {
  private readonly columns: Columns;
  private readonly byPath = new Map<string, number>();
  private readonly uses = new Map<string, number>();

  constructor(columns: Columns) {
    this.columns = columns;
  }

  at(path: string, header: string): number {
    const known = this.byPath.get(path);
    if (known !== undefined) return known;
    const occurrence = this.uses.get(header) ?? 0;
    this.uses.set(header, occurrence + 1);
    const index = this.columns.at(header, occurrence);
    this.byPath.set(path, index);
    return index;
  }
}
