import { PageHeader } from '../../ui/page-header.tsx';

export default function Overview() {
  return <PageHeader title="Übersicht" />;
}
