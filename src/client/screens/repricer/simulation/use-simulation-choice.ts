import { useSearchParams } from 'react-router';

/** The offers that a rule is simulated on, and the field that holds an item's cost. */
export type SimulationChoice = { on: 'now' | 'history'; days: number; costField: string };

const names = { on: 'angebote', days: 'tage', costField: 'einkaufspreis' } as const;
export const DAYS = Array.from({ length: 30 }, (_, index) => index + 1);
const usual = 7;

export function choiceOf(search: URLSearchParams): SimulationChoice {
  const days = Number(search.get(names.days));
  return {
    on: search.get(names.on) === 'verlauf' ? 'history' : 'now',
    days: DAYS.includes(days) ? days : usual,
    costField: search.get(names.costField) ?? '',
  };
}

/** Keeps the choice in the URL, so that it survives changing the rule, visiting an item, and a reload. */
export function useSimulationChoice() {
  const [search, setSearch] = useSearchParams();
  const choice = choiceOf(search);
  const choose = (part: Partial<SimulationChoice>) => {
    const { on, days, costField } = { ...choice, ...part };
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        const put = (name: string, value: string) => (value === '' ? next.delete(name) : next.set(name, value));
        put(names.on, on === 'history' ? 'verlauf' : '');
        put(names.days, days === usual ? '' : String(days));
        put(names.costField, costField);
        return next;
      },
      { replace: true, preventScrollReset: true, defaultShouldRevalidate: false },
    );
  };
  return { choice, choose };
}
