import { Agent, DocumentError } from 'a2c-smcp/agent';

await using agent = new Agent({ url: 'http://127.0.0.1:8000', name: 'reader', token: 'change-me' });
await agent.connect();
await agent.joinOffice('demo');

// Whatever the MCP servers list; one that cannot be listed costs its own documents only.
const found = agent.discoverDocuments('laptop', {
  filter: ({ pageCount = 1 }) => pageCount <= 1_000,
  onProblem: ({ server, reason }) => {
    console.log(`${server}: ${reason}`);
  },
});
for await (const { uri, name = uri } of found) {
  try {
    const document = await agent.openDocument('laptop', uri, { fetchTimeoutMs: 10_000 });
    console.log(`${name}: ${document.pages.count} pages`);
    // A page is fetched when it is asked for, in this loop some ahead; none is kept.
    for await (const page of document.pages) {
      const titles = page.elements.filter(({ category }) => category === 'Title');
      console.log(`page ${page.index}: ${titles.map(({ text }) => text).join(', ')}`);
    }
    for await (const { page, element } of document.find(/a fifth/)) console.log(`p. ${page.index}: ${element.text}`);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    console.log(`${uri}: ${error.reason} (${error.field ?? 'all of it'}): ${error.message}`);
  }
}
