import { Button } from '@mantine/core';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useEffectEvent } from 'react';
import { logFailure } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showFailure } from '#client/ui/notices.tsx';

/** As `React.lazy` takes it. */
type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

const missing = {
  title: 'Dieser Teil der Seite konnte nicht geladen werden',
  message:
    'Die Verbindung war unterbrochen, oder Kontor wurde inzwischen aktualisiert. Ihre Eingaben sind noch da: Speichern Sie sie, und laden Sie die Seite dann neu.',
};

/**
 * A part of a page that the browser loads when it is first shown. Where it does not arrive, a notice says so in its place; with
 * `React.lazy` alone an error page would take the place of everything that was typed.
 * @param waiting stands there until the part has come
 */
export const laterPart = <Props extends object>(load: Load<Props>, waiting: ReactNode = null): ComponentType<Props> =>
  later(load, MissingPart, waiting);

/** The same for a dialog, which is closed where it does not arrive. */
export const laterDialog = <Props extends { onClose: () => void }>(load: Load<Props>): ComponentType<Props> =>
  later(load, MissingDialog, null);

function later<Props extends object>(load: Load<Props>, instead: ComponentType<Props>, waiting: ReactNode) {
  const Part = lazy<ComponentType<Props>>(() =>
    // Asking anew would not help: Chromium keeps in mind for the life of a page that a file did not come.
    load().catch((error: unknown) => {
      logFailure('Fehler beim Laden', error);
      return { default: instead };
    }),
  );
  return function LaterPart(props: Props) {
    return (
      <Suspense fallback={waiting}>
        <Part {...props} />
      </Suspense>
    );
  };
}

function MissingPart() {
  return (
    <ErrorNotice failure={missing}>
      <Button mt={8} size="xs" variant="default" onClick={() => location.reload()}>
        Seite neu laden
      </Button>
    </ErrorNotice>
  );
}

function MissingDialog({ onClose }: { onClose: () => void }) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    showFailure(missing);
    close();
  }, []);
  return null;
}
