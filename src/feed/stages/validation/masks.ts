import { join, ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { Check } from './field-checks.ts';
import { kinds } from './kinds.ts';
import type { Place, Problem } from './problem.ts';

/** Numbers up to 2^50 are exact in JavaScript too; the columns are UBIGINT. */
const BITS = 50;

type New = Omit<Problem, 'column' | 'bit' | 'severity'> & { readonly severity?: Problem['severity'] | undefined };

/** Assigns bits to problems and collects the conditions that set them. All bits of a field are in one column. */
export class Masks {
  readonly problems: Problem[] = [];
  private readonly columns: Sql[][] = [];
  private used = BITS;

  /** Assigns bits to a field's problems. */
  take(news: readonly New[]): Problem[] {
    if (news.length > BITS) throw new Error(`More than ${BITS} problems at one field`);
    if (this.used + news.length > BITS) {
      this.columns.push([]);
      this.used = 0;
    }
    const problems = news.map((one): Problem => ({
      ...one,
      severity: one.severity ?? kinds[one.kind].severity,
      column: this.columns.length - 1,
      bit: this.used++,
    }));
    this.problems.push(...problems);
    return problems;
  }

  /** Adds the expression that sets the bits of the problems assigned last. */
  set(bits: Sql): void {
    this.columns.at(-1)?.push(bits);
  }

  /** The columns `_problems0` and so on, each UBIGINT. */
  masks(): Sql[] {
    return this.columns.map((parts) => duck`CAST(${join(parts, duck` + `)} AS UBIGINT)`);
  }
}

/** A problem's bit as a number. */
export const flag = ({ bit }: Pick<Place, 'bit'>): Sql => ownNumber(2 ** bit);

/** The bits of the problems whose conditions hold; NULL counts as false. */
export function bitsOf(set: readonly { readonly problem: Problem; readonly holds: Sql }[]): Sql {
  if (set.length === 0) return duck`0`;
  return join(
    set.map(({ problem, holds }) => duck`CASE WHEN ${holds} THEN ${flag(problem)} ELSE 0 END`),
    duck` + `,
  );
}

/** The bits of checks. A `maybe` shared by several checks is tested once, and their other conditions only if it holds. */
export function checkedBits(
  set: readonly { readonly problem: Problem; readonly check: Check }[],
  keyOf: (condition: Sql) => string,
): Sql {
  const groups = new Map<string, { maybe: Sql | undefined; members: { problem: Problem; holds: Sql }[] }>();
  for (const { problem, check } of set) {
    const key = check.maybe ? keyOf(check.maybe) : '';
    const group = groups.get(key) ?? { maybe: check.maybe, members: [] };
    group.members.push({ problem, holds: check.holds });
    groups.set(key, group);
  }
  const parts = [...groups.values()].map(({ maybe, members }) => {
    const bits = bitsOf(members);
    return maybe ? duck`CASE WHEN ${maybe} THEN ${bits} ELSE 0 END` : bits;
  });
  return parts.length === 0 ? duck`0` : join(parts, duck` + `);
}
