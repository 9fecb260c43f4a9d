import { useState } from 'react';
import { usePrinting } from '#client/ui/use-printing.ts';
import { type DayRange, formatRange } from '#client/ui/text/days.ts';
import { formatTime } from '#client/ui/text/formats.ts';
import { useSession } from './session.ts';
import classes from './shell.module.css';

/** Stands on paper above the page: whose figures these are, of which days, and when they were printed. */
export function PrintHead({ range }: { range?: DayRange }) {
  const printing = usePrinting();
  const session = useSession();
  const [printed, setPrinted] = useState({ printing, at: '' });
  if (printed.printing !== printing) setPrinted({ printing, at: new Date().toISOString() });
  if (!printing) return null;
  const words = [
    session?.company.name,
    range === undefined ? undefined : `Zeitraum ${formatRange(range)}`,
    printed.at === '' ? undefined : `gedruckt am ${formatTime(printed.at)}`,
  ];
  return <p className={classes.printHead}>{words.filter((word) => word !== undefined).join(' · ')}</p>;
}
