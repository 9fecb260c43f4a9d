import { useSyncExternalStore } from 'react';
import { type DayRange, formatRange } from '#client/ui/text/days.ts';
import { formatTime } from '#client/ui/text/formats.ts';
import { useSession } from './session.ts';
import classes from './header.module.css';

/** Time when printing began; '' while nothing is being printed. */
let startedAt = '';

function watch(changed: () => void): () => void {
  const paper = matchMedia('print');
  const note = () => {
    startedAt = paper.matches ? new Date().toISOString() : '';
    changed();
  };
  paper.addEventListener('change', note);
  return () => paper.removeEventListener('change', note);
}

/** Printed above the page: which company's figures, of which days, printed when. */
export function PrintHead({ range }: { range?: DayRange }) {
  const session = useSession();
  const at = useSyncExternalStore(
    watch,
    () => startedAt,
    () => '',
  );
  if (at === '') return null;
  const words = [
    session?.company.name,
    range === undefined ? undefined : `Zeitraum ${formatRange(range)}`,
    `gedruckt am ${formatTime(at)}`,
  ];
  return <p className={classes.printHead}>{words.filter((word) => word !== undefined).join(' · ')}</p>;
}
