import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { Master } from '#shared/masters/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { useSession } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import { TypedConfirmDialog } from '#client/ui/typed-confirm-dialog.tsx';
import { useFailure } from '#client/use-failure.ts';
import classes from './overview.module.css';

/** The most catalogues that are listed. */
const MOST_LISTED = 10;

type ExamplesDialogProps = { masters: readonly Master[]; onClose: () => void };

/** Asks before everything in the company is deleted with the examples: own data may be among them. */
export function ExamplesDialog({ masters, onClose }: ExamplesDialogProps) {
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const company = useSession()?.company.name ?? '';
  const more = masters.length - MOST_LISTED;
  const remove = async () => {
    setFailure(null);
    try {
      await call(api.removeExamples);
      onClose();
      showSaved('Die Beispiele wurden entfernt');
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Löschen', error));
    }
  };
  return (
    <TypedConfirmDialog
      question="Alles in dieser Firma löschen, auch das Eigene?"
      name={company}
      confirm="Alles löschen"
      onConfirm={remove}
      onClose={onClose}
    >
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
    </TypedConfirmDialog>
  );
}
