import { useSearchParams } from 'react-router';

/** What a rule is tried on, and which field holds what an item costs. */
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

/** The choice stands in the address: it stays from rule to rule, after a look at an item and after a reload. */
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
