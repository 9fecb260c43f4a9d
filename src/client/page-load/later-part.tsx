import { Button } from '@mantine/core';
import {
  type ComponentType,
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { logFailure } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showFailure } from '#client/ui/notices.tsx';

/** A module loader as `React.lazy` takes it. */
type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

const missing = {
  title: 'Dieser Teil der Seite konnte nicht geladen werden',
  message:
    'Die Verbindung war unterbrochen, oder Kontor wurde inzwischen aktualisiert. Ihre Eingaben sind noch da: Versuchen Sie es noch einmal. Hilft das nicht, speichern Sie sie, und laden Sie die Seite dann neu.',
};

/** Loads a part again that could not be loaded. */
const AgainContext = createContext(() => {});

/**
 * Makes a part of a page that is loaded when it is first shown. If it cannot be loaded, a notice is shown in its place; with
 * `React.lazy` alone, an error page would replace everything that was typed.
 * @param waiting shown until the part is loaded
 */
export const laterPart = <Props extends object>(load: Load<Props>, waiting: ReactNode = null): ComponentType<Props> =>
  later(load, MissingPart, waiting);

/** Makes a dialog that is loaded when it is first shown, and closed if it cannot be loaded. */
export const laterDialog = <Props extends { onClose: () => void }>(load: Load<Props>): ComponentType<Props> =>
  later(load, MissingDialog, null);

function later<Props extends object>(load: Load<Props>, instead: ComponentType<Props>, waiting: ReactNode) {
  const begin = () =>
    lazy<ComponentType<Props>>(() =>
      load().catch((error: unknown) => {
        logFailure('Fehler beim Laden', error);
        // React keeps what it has once loaded, so the next attempt needs a part of its own.
        part = begin();
        return { default: instead };
      }),
    );
  let part = begin();
  return function LaterPart(props: Props) {
    const [Part, setPart] = useState(() => part);
    return (
      <AgainContext value={() => setPart(() => part)}>
        <Suspense fallback={waiting}>
          <Part {...props} />
        </Suspense>
      </AgainContext>
    );
  };
}

function MissingPart() {
  const again = use(AgainContext);
  return (
    <ErrorNotice failure={missing}>
      <Button mt={8} mr={8} size="xs" variant="default" onClick={again}>
        Erneut versuchen
      </Button>
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
