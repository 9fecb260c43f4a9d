import { useCallback, useState } from 'react';
import type { Construction, ConstructionRow } from '#shared/construction/schema.ts';
import { headerChange, type HeaderChange } from './header-change.ts';

/** The header change that a channel with a fixed header must be told, and the question before such a save. */
export function useHeaderQuestion({ template, header }: Pick<Construction, 'template' | 'header'>) {
  const [pending, setPending] = useState<{ change: HeaderChange; resolve: (go: boolean) => void } | null>(null);
  const fixed = template?.fixedHeader === true;
  const changeOf = useCallback(
    (rows: readonly ConstructionRow[]) => (fixed ? headerChange(header, rows) : null),
    [fixed, header],
  );
  const mayChange = (rows: readonly ConstructionRow[]): Promise<boolean> => {
    const change = changeOf(rows);
    if (change === null) return Promise.resolve(true);
    return new Promise((resolve) => setPending({ change, resolve }));
  };
  const answer = (go: boolean) => {
    pending?.resolve(go);
    setPending(null);
  };
  return { pending: pending?.change ?? null, changeOf, mayChange, answer };
}
