import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';

/**
 * The selected rule stands in the address; nothing is loaded for it, so that a lost connection costs no edit. A choice
 * counts at once, the address follows.
 */
export function useSelected(pathOf: (ruleid?: string) => string) {
  const navigate = useNavigate();
  const { ruleid } = useParams();
  const [chosen, setChosen] = useState<{ id: string | undefined; before: string | undefined } | null>(null);
  const selected = chosen !== null && chosen.before === ruleid ? chosen.id : ruleid;
  const select = (next: string | undefined) => {
    if (next === selected) return;
    setChosen({ id: next, before: ruleid });
    void navigate(pathOf(next), { preventScrollReset: true, defaultShouldRevalidate: false });
  };
  return { selected, select };
}
