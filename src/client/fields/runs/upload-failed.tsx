import IconX from 'virtual:icons/x';
import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';

/** Ids of headings: the uploads on an export's page, and the upload's settings. */
export const uploadsId = 'uebertragungen';
export const uploadSettingsId = 'uebertragung';

/** Says that the last file did not reach the channel's server. */
export function UploadFailedBadge() {
  return (
    <Badge tone="red" icon={IconX}>
      nicht übertragen
    </Badge>
  );
}

/** Says why the last file did not reach the channel's server, and where that can be mended; empty if it did. */
export function UploadFailedNotice({ id, failure }: { id: string; failure: string | null }) {
  if (failure === null) return null;
  const message = `${failure} Der Kanal arbeitet mit dem, was er zuletzt bekam.`.trim();
  return (
    <ErrorNotice failure={{ title: 'Die Datei wurde nicht übertragen', message }}>
      <div className="k-row" style={{ marginTop: 8 }}>
        <Link to={`${pathTo(pages.export, { id })}#${uploadsId}`}>Übertragungen ansehen und erneut versuchen</Link>
        <Link to={`${pathTo(pages.exportSettings, { id })}#${uploadSettingsId}`}>Server und Zugang prüfen</Link>
      </div>
    </ErrorNotice>
  );
}
