import type { NumberGroups } from '#shared/import/schema.ts';

type Readings = ReadonlyMap<string, NumberGroups>;
const DECIMAL: NumberGroups = { mark: 'none', sure: false };

/**
 * What a mark before three digits means in each field of a program. A field that rules make gets its meaning from the first rule
 * that writes it: a copy of a price is read like the price. Where a list is split into batches does not affect this.
 */
export class NumberReadings {
  private readonly base: Readings | undefined;
  private readonly made: Map<string, NumberGroups>;

  constructor(base: Readings | undefined, origin?: NumberReadings) {
    this.base = base;
    this.made = new Map(origin?.made);
  }

  of(field: string): NumberGroups | undefined {
    return this.made.get(field) ?? this.base?.get(field);
  }

  /** Records that a rule makes the field, as a copy of `source` unless that is undefined. */
  begin(field: string, source: string | undefined): void {
    this.made.set(field, (source === undefined ? undefined : this.of(source)) ?? DECIMAL);
  }

  all(): Readings {
    return new Map([...(this.base ?? []), ...this.made]);
  }
}
