import { isItemNumber } from '#feed/import/reader/key.ts';

/** `keys`: first keys of an object, with whether their values are scalars; `alike`: keys whose value is the object's own key. */
export type ObjectShape = { size: number; keys: readonly (readonly [key: string, scalar: boolean])[]; alike: string[] };

const maxKeys = 200;
const maxDistinct = 2000;

/** Collects the shape of an object member by member, up to fixed limits. */
export class ObjectKeys {
  private readonly ownKey: string | undefined;
  readonly shape: { size: number; keys: (readonly [string, boolean])[]; alike: string[] } = {
    size: 0,
    keys: [],
    alike: [],
  };

  constructor(ownKey: string | undefined) {
    this.ownKey = ownKey;
  }

  add(key: string, scalar: string | undefined): void {
    this.shape.size += 1;
    if (this.shape.keys.length >= maxKeys) return;
    this.shape.keys.push([key, scalar !== undefined]);
    if (scalar !== undefined && scalar === this.ownKey) this.shape.alike.push(key);
  }
}

/** Judges from the members of an object whether it is a list of items under their keys: `{"A1": {…}, "A2": {…}}`. */
export class MemberKeys {
  private readonly counts = new Map<string, { count: number; scalars: number }>();
  private alike: Set<string> | undefined;
  private others = 0;
  private counted = 0;
  private ordered = true;
  members = 0;
  /** Number of fields of all members together. */
  fields = 0;
  first = '';

  addOther(): void {
    this.others += 1;
  }

  add(key: string, shape: ObjectShape): void {
    if (this.members === 0) this.first = key;
    this.ordered &&= key === String(this.members);
    this.members += 1;
    this.fields += shape.size;
    this.alike = new Set(shape.alike.filter((each) => this.alike?.has(each) ?? true));
    for (const [name, scalar] of shape.keys) {
      const entry = this.counts.get(name);
      this.counted += 1;
      if (entry) {
        entry.count += 1;
        if (scalar) entry.scalars += 1;
      } else if (this.counts.size < maxDistinct) this.counts.set(name, { count: 1, scalars: scalar ? 1 : 0 });
    }
  }

  get allObjects(): boolean {
    return this.members > 0 && this.others === 0 && this.fields > 0;
  }

  /** Whether the members share most of their fields, at least one of them with scalar values. */
  isList(): boolean {
    if (!this.allObjects || this.members < 2) return false;
    const shared = this.shared(Math.max(2, this.members / 2));
    if (!shared.some(([, entry]) => entry.scalars >= this.members / 2)) return false;
    const common = shared.reduce((sum, [, entry]) => sum + entry.count, 0);
    return common >= this.counted / 2 || this.shared(this.members * 0.9).length >= 3;
  }

  /** Whether this is a table by columns: each member holds the values of one field under row numbers. */
  isColumns(): boolean {
    return this.isList() && [...this.counts.keys()].every((key) => /^\d+$/u.test(key)) && this.counts.has('0');
  }

  /**
   * Returns the name of a field for the keys. Undefined if a field of the members has the same values, or if the keys only
   * count. If the members have a number of their own, the name must not look like one.
   */
  keyField(): string | undefined {
    if (this.ordered || (this.alike?.size ?? 0) > 0) return undefined;
    const own = [...this.counts].some(
      ([name, { count }]) => name.toLowerCase() === 'id' || (isItemNumber(name) && count === this.members),
    );
    return own ? 'Schlüssel' : 'id';
  }

  private shared(atLeast: number): [string, { count: number; scalars: number }][] {
    return [...this.counts].filter(([, { count }]) => count >= atLeast);
  }
}
