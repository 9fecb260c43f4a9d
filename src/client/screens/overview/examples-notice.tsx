import { Button } from '@mantine/core';
import IconInfoCircle from 'virtual:icons/info-circle';
import { useState } from 'react';
import type { Master } from '#shared/masters/schema.ts';
import { laterDialog } from '#client/page-load/later-part.tsx';
import classes from './overview.module.css';

// Loaded on demand: this dialog is opened once in a company's life.
const ExamplesDialog = laterDialog(async () => ({
  default: (await import('./examples-dialog.tsx')).ExamplesDialog,
}));

/** Says that the first start added examples to the company, and deletes them with one action. */
export function ExamplesNotice({ masters }: { masters: readonly Master[] }) {
  const [confirming, setConfirming] = useState(false);
  return (
    <div className={classes.examples}>
      <IconInfoCircle size={18} aria-hidden />
      <p>Dies sind Beispieldaten.</p>
      <Button variant="default" size="xs" onClick={() => setConfirming(true)}>
        Beispiele entfernen
      </Button>
      {confirming && <ExamplesDialog masters={masters} onClose={() => setConfirming(false)} />}
    </div>
  );
}
