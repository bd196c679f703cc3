export function AuditView() {
  return <main class="alone"><p>Audit</p></main>;
}
