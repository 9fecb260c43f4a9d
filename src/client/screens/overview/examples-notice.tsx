import { Button } from '@mantine/core';
import IconInfoCircle from 'virtual:icons/info-circle';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { Master } from '#shared/masters/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { laterDialog } from '#client/page-load/later-part.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { useFailure } from '#client/use-failure.ts';
import classes from './overview.module.css';

// Loaded on demand: this dialog is opened once in a company's life.
const ConfirmDialog = laterDialog(async () => ({
  default: (await import('#client/ui/confirm-dialog.tsx')).ConfirmDialog,
}));

/** Says that the first start added examples to the company, and deletes them with one action. */
export function ExamplesNotice({ masters }: { masters: readonly Master[] }) {
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
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
        <ConfirmDialog
          opened={confirming}
          question="Alle Beispiele entfernen?"
          confirm="Entfernen"
          danger
          onConfirm={remove}
          onClose={() => {
            setConfirming(false);
            setFailure(null);
          }}
        >
          <div className="k-stack" style={{ gap: 8 }}>
            <ErrorNotice failure={failure} />
            <p>Gelöscht wird alles in dieser Firma, auch was Sie selbst darin angelegt oder geändert haben:</p>
            <ul className={classes.gone}>
              {masters.map(({ masterid, name, exports }) => (
                <li key={masterid}>
                  Katalog „{name}“{exports.length > 0 && ` mit ${exports.map((one) => `„${one.name}“`).join(' und ')}`}
                </li>
              ))}
              <li>alle Regeln, Zuordnungen, Läufe und Dateien</li>
              <li>Bestellungen, Angebote, Preise und das Konto beim Marktplatz</li>
              <li>Benachrichtigungen, Webhooks und Mail-Einstellungen</li>
            </ul>
            <p>Benutzer und API-Zugänge bleiben. Laufende Importe und Exporte werden abgebrochen.</p>
            <p>
              <strong>Das lässt sich nicht rückgängig machen.</strong>
            </p>
          </div>
        </ConfirmDialog>
      )}
    </div>
  );
}
