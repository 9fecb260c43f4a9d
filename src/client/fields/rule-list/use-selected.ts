import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';

/**
 * Keeps the selected rule in the URL; the navigation loads nothing, so that a lost connection costs no edit. A choice takes
 * effect at once, the URL follows.
 */
export function useSelected(pathOf: (ruleid?: string) => string) {
  const navigate = useNavigate();
  const { ruleid } = useParams();
  const [chosen, setChosen] = useState<{ id: string | undefined } | null>(null);
  const [followed, setFollowed] = useState(ruleid);
  // Once the URL has changed it decides again: the back button leads to the rule that was chosen before.
  if (followed !== ruleid) {
    setFollowed(ruleid);
    setChosen(null);
  }
  const selected = chosen === null ? ruleid : chosen.id;
  const select = (next: string | undefined) => {
    if (next === selected) return;
    setChosen({ id: next });
    void navigate(pathOf(next), { preventScrollReset: true, defaultShouldRevalidate: false });
  };
  return { selected, select };
}
