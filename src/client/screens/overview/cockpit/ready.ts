import type { Export } from '#shared/exports/schema.ts';

/** The share of items without errors over all exports, and the export with the most errors. */
export type Ready = { share: number; errors: number; worst: { id: string; name: string } };

/** Returns null if no export checks its items. */
export function readyOf(exports: readonly Export[]): Ready | null {
  const checked = exports.flatMap(({ id, settings, readiness }) =>
    readiness === null || readiness.items === 0 ? [] : [{ id, name: settings.name, ...readiness }],
  );
  const [worst] = checked.toSorted((one, other) => other.errors - one.errors);
  if (worst === undefined) return null;
  const errors = checked.reduce((sum, one) => sum + one.errors, 0);
  const items = checked.reduce((sum, one) => sum + one.items, 0);
  return { share: (items - errors) / items, errors, worst: { id: worst.id, name: worst.name } };
}
