import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { laterDialog } from '#client/page-load/later-part.tsx';
import './live-components.css';
import { useLiveComponent } from './use-live-component.ts';
import { componentHtml } from './wire.ts';

/** Rarely needed, and its dialog is large. */
const ErrorOverlay = laterDialog(async () => ({ default: (await import('./error-overlay.tsx')).ErrorOverlay }));

/**
 * LVC-01: a part of the page that the server renders. `html` comes from `liveComponentFirst` in the page's loader, so it is in
 * the page's first HTML; after that it belongs to the component and not to React.
 */
export function LiveComponent({ html }: { html: string }) {
  // Kept in state: a new object on each render would make React replace the HTML.
  const [first] = useState(() => componentHtml(html));
  const container = useRef<HTMLDivElement>(null);
  const { notice, foreign, closeForeign } = useLiveComponent(container, html);
  // Stays mounted once it was needed: a removed dialog cannot give the focus back.
  const [wanted, setWanted] = useState(false);
  if (foreign.length > 0 && !wanted) setWanted(true);
  return (
    <div className="k-live-place">
      <div ref={container} className="k-live" dangerouslySetInnerHTML={{ __html: first }} />
      <div className="k-live-notice" aria-live="polite">
        {notice !== null && (
          <>
            <span>{notice.text}</span>
            <Button size="compact-sm" variant="default" onClick={notice.go}>
              {notice.button}
            </Button>
            {notice.giveUp !== undefined && (
              <Button size="compact-sm" variant="subtle" onClick={notice.giveUp}>
                Verwerfen
              </Button>
            )}
          </>
        )}
      </div>
      {wanted && <ErrorOverlay answers={foreign} onClose={closeForeign} />}
    </div>
  );
}
