import { Button } from '@mantine/core';
import IconInfoCircle from 'virtual:icons/info-circle';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { Master } from '#shared/masters/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { laterDialog } from '#client/page-load/later-part.tsx';
import { useSession } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import { useFailure } from '#client/use-failure.ts';
import classes from './overview.module.css';

// Loaded on demand: this dialog is opened once in a company's life.
const TypedConfirmDialog = laterDialog(async () => ({
  default: (await import('#client/ui/typed-confirm-dialog.tsx')).TypedConfirmDialog,
}));

/** The most catalogues that the question lists. */
const MOST_LISTED = 10;

/** Says that the first start added examples to the company, and deletes them with one action. */
export function ExamplesNotice({ masters }: { masters: readonly Master[] }) {
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const company = useSession()?.company.name ?? '';
  const remove = async () => {
    setFailure(null);
    try {
      await call(api.removeExamples);
      setConfirming(false);
      showSaved('Die Beispiele wurden entfernt');
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Löschen', error));
    }
  };
  return (
    <div className={classes.examples}>
      <IconInfoCircle size={18} aria-hidden />
      <p>Dies sind Beispieldaten.</p>
      <Button variant="default" size="xs" onClick={() => setConfirming(true)}>
        Beispiele entfernen
      </Button>
      {confirming && (
        <TypedConfirmDialog
          question="Alles in dieser Firma löschen, auch das Eigene?"
          name={company}
          confirm="Alles löschen"
          onConfirm={remove}
          onClose={() => {
            setConfirming(false);
            setFailure(null);
          }}
        >
          <WhatGoes masters={masters} failure={failure} />
        </TypedConfirmDialog>
      )}
    </div>
  );
}

/** Everything that is deleted with the examples: all that the company has, but its users. */
function WhatGoes({ masters, failure }: { masters: readonly Master[]; failure: Failure | null }) {
  const more = masters.length - MOST_LISTED;
  return (
    <div className="k-stack" style={{ gap: 8 }}>
      <ErrorNotice failure={failure} />
      <p>Gelöscht wird alles in dieser Firma, auch was Sie selbst darin angelegt oder geändert haben:</p>
      <ul className={classes.gone}>
        {masters.slice(0, MOST_LISTED).map(({ masterid, name, exports }) => (
          <li key={masterid}>
            Katalog „{name}“{exports.length > 0 && ` mit ${formatCount(exports.length, 'Export', 'Exporten')}`}
          </li>
        ))}
        {more > 0 && <li>{formatCount(more, 'weiterer Katalog', 'weitere Kataloge')}</li>}
        <li>alle Regeln, Zuordnungen, Läufe und Dateien</li>
        <li>Bestellungen, Angebote, Preise und das Konto beim Marktplatz</li>
        <li>Benachrichtigungen, Webhooks und Mail-Einstellungen</li>
      </ul>
      <p>Benutzer und API-Zugänge bleiben. Laufende Importe und Exporte werden abgebrochen.</p>
      <p>
        <strong>Das lässt sich nicht rückgängig machen.</strong>
      </p>
    </div>
  );
}
