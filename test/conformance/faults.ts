/**
 * Faults that hosts of MCP servers really had, each as the rule that makes it impossible, with an id. A test that shows
 * the rule, with real child processes or real HTTP servers where the fault is about them, cites it in its title, in
 * brackets: `[F-A-process-group]`. `requirements.test.ts` fails for a rule that no test cites and for a citation of a
 * rule that is not here.
 */
export const FAULTS = {
  // A. Child processes
  'F-A-process-group': 'Stopping a server leaves nothing of its process group behind, whatever it had started.',
  'F-A-every-path':
    'No path skips that: stop, restart, reload, disable, remove, failed start, crash and shutdown all end the group.',
  'F-A-six-seconds':
    'End of stdin, SIGTERM, SIGKILL: a server that heeds nothing is gone, and awaited, within 6 s in all.',
  'F-A-single-flight': 'Starts that come together are one start.',
  'F-A-overtaken-start': 'A start that completes after a stop closes itself again.',
  'F-A-shutdown-while-starting': 'A Computer that is closed while servers are being started leaves none behind.',
  'F-A-death-at-once': 'A child that dies is an error at once, with its exit code and the end of its stderr.',
  'F-A-backoff':
    'Restarts wait ever longer, with a cap and jitter, the first at most 1 s; a stable period resets that.',
  'F-A-crash-loop': 'A server that keeps dying ends in crash-loop, with the reason; it can still be started by hand.',
  'F-A-others-untouched': 'Other servers do not notice the crashes of one.',
  'F-A-computer-killed': 'When the Computer is killed with SIGKILL, its children see end-of-file on stdin.',
  'F-A-replaced-config': 'Replacing a configuration ten times with the same server leaves one child.',

  // B. Standard streams
  'F-B-stderr-drained': 'stderr is read from before the first byte: 9 MB of it before the first answer stop nothing.',
  'F-B-stderr-bounded': 'Of stderr a bounded end is kept, in bounded lines, and few lines a second are logged.',
  'F-B-stderr-shown': 'The end of stderr is shown with every failed start.',
  'F-B-stderr-redacted': 'Whatever is shown of stderr holds no secret.',
  'F-B-not-json': 'A line on stdout that is not JSON is skipped: a banner or a log line breaks nothing.',
  'F-B-long-line': 'A complete line over 32 MiB fails that call only.',
  'F-B-endless-line': '64 MiB without a newline fail the server; the others go on.',
  'F-B-own-logs': 'Our own logs go to stderr, and with --json every line of stdout parses.',

  // C. Starting
  'F-C-env-added': 'env is added to a safe default environment and does not replace it.',
  'F-C-cwd': 'A cwd that cannot be used is an error that names it.',
  'F-C-missing-command': 'A missing command is answered at once, naming the command and the PATH that was searched.',
  'F-C-start-timeout': 'The start timeout is its own setting, 120 s by default; while it runs the state is starting.',
  'F-C-slow-start': 'A slow start delays neither the join nor any other server, and its tools are announced later.',
  'F-C-names': 'Server names are data: they reach no path, object key or environment name unescaped.',

  // D. HTTP servers
  'F-D-session-lost':
    'A lost session, or a restarted upstream, is made anew: initialised, listed and subscribed again, no old id used.',
  'F-D-never-twice':
    'A call is repeated only if it was surely not executed; otherwise it fails saying so, never as an empty success.',
  'F-D-no-answer': 'A stream that ends without the response, HTTP 202 for a request and an empty stream fail at once.',
  'F-D-reconnects': 'Reconnects are bounded and backed off, for errors and for clean closes.',
  'F-D-dead-stream': 'A dead stream is never shown as connected.',
  'F-D-one-hop': 'Lifecycle messages and session headers belong to one hop and are never forwarded.',

  // E. Lists and schemas
  'F-E-broken-tool': 'A broken tool costs itself at most, with a diagnostic, never the list.',
  'F-E-broken-resource': 'A broken resource, or broken metadata, costs itself at most, never the list.',
  'F-E-schemas': 'Schemas pass through byte-equal.',
  'F-E-paging': 'Lists are read to the end, up to 1,000 pages and 100,000 items.',
  'F-E-repeated-cursor': 'A repeated cursor ends the list with a warning; the new items of that page are kept once.',
  'F-E-deduplicated': 'Tools are listed once by name, windows once by URI; get_resources passes pages on as they are.',
  'F-E-opaque-uris': 'URIs are opaque, compared exactly, and come through unchanged.',
  'F-E-one-router': 'One table routes exposed names; the upstream sees its original name and exactly the arguments.',
  'F-E-equal-names': 'Equal exposed names are a diagnostic and never a silent overwrite, within one server too.',

  // F. Calls
  'F-F-result-untouched': 'Content, structuredContent, isError and _meta travel together, order and types kept.',
  'F-F-no-output-check': 'A result is never replaced because it does not match an output schema.',
  'F-F-error-text': 'The text of an error result is never lost.',
  'F-F-total-timeout': 'The timeout that counts is total: progress does not renew it.',
  'F-F-timeout-or-cancel': 'Timeout and cancel are told apart.',
  'F-F-cancel-one': 'Cancelling one call ends that call only.',
  'F-F-cancel-upstream': 'The upstream receives notifications/cancelled with its own request id.',
  'F-F-hung-call': 'A hung call blocks nothing else: calls run in parallel up to a cap, other servers do not notice.',
  'F-F-size-call': 'A result above the packet limit is answered as isError with both sizes; the socket stays up.',
  'F-F-size-tools': 'An answer to get_tools above the packet limit is an error with both sizes; the socket stays up.',
  'F-F-size-desktop': 'A desktop above the packet limit is cut and says so; the socket stays up.',

  // G. Secrets
  'F-G-canary': 'A planted secret shows up in no log, error, stderr ring, event, CLI output or history.',
  'F-G-canary-url': 'Nor does one in the query or the userinfo of a URL.',
  'F-G-canary-cli': 'Nor does one in any byte that the command line prints, in either form.',
  'F-G-unresolved': 'get_config returns the unresolved source.',
  'F-G-input-scope': 'An input is resolved only within the own configuration; ids are opaque.',
  'F-G-passwords': 'Passwords are never written to disk in clear, and their defaults never shown in a prompt.',
  'F-G-auth-by-status': 'Authorization is told from status, typed error and challenge, never from words in a text.',
  'F-G-login-absent': 'A server that needs a login is absent from the lists, with a reason, and nothing polls it.',

  // H. Configuration files
  'F-H-lenient': 'A byte-order mark, CRLF, comments and trailing commas are fine.',
  'F-H-last-good': 'While a file does not parse, the last good configuration stays in force.',
  'F-H-not-written': 'Nothing writes to a configuration file: broken ones stay as they are, and comments stay.',
  'F-H-rename': 'A file that is renamed into place is noticed, each time.',
  'F-H-burst': 'A burst of writes is one change, and what happens beside the file is none.',
  'F-H-by-meaning': 'A change is compared by meaning.',
  'F-H-only-changed': 'Only what changed is restarted, and a restart uses the new configuration.',
  'F-H-empty-or-absent': 'Empty means empty, absent means default.',
  'F-H-unknown-tool': 'An unknown tool name in a list warns.',
  'F-H-missing-variable': 'One missing variable stops its server only.',
  'F-H-proto': '__proto__ is no configuration key, and constructor is a fine server name.',

  // I. Notifications
  'F-I-coalesced':
    'list_changed is coalesced: 200 in a tick are at most two lists, one update_tool_list and one update_config.',
  'F-I-real-change': 'Only a real change of a list is broadcast.',
  'F-I-no-loop': 'A server that sends list_changed inside every list does not loop.',
  'F-I-counted': 'Subscriptions are counted, single-flight, and recorded only after success.',
  'F-I-replayed': 'Subscriptions are made again after a reconnect.',
  'F-I-dropped': 'Subscriptions are dropped on stop, and nothing is broadcast for a server that was stopped.',
  'F-I-soft-failure': 'A soft failure removes no tools.',
  'F-I-crashed': 'The tools of a crashed server stay listed while it is restarted, and answer 4003 at once.',
  'F-I-gone-once': 'They go, with one broadcast, when it is stopped, disabled, removed or in crash-loop.',
  'F-I-no-ping': 'A server that does not know ping is healthy.',

  // J. The relay
  'F-J-prefixed-rooms': 'An office named like the id of a member gets none of its traffic.',
  'F-J-own-office': 'Leaving uses the own office of the session.',
  'F-J-no-trace': 'A refused join leaves no trace: no room, name or role.',
  'F-J-one-seat': 'Of racing joins for one seat exactly one wins.',
  'F-J-rename': 'Joining again under a new name frees the old one.',
  'F-J-session-identity': 'Identities come from the session, never from a payload.',
  'F-J-any-payload': 'A payload of any shape is answered with 400 or ignored; nothing is thrown.',
  'F-J-depth': 'A message that nests thousands of levels deep ends nothing.',
  'F-J-upgrade-reset': 'A connection that is reset during an upgrade ends nothing.',
  'F-J-nan': 'NaN of a Python peer is read as null and disconnects nobody.',
  'F-J-unknown-event': 'Unknown events are answered.',
  'F-J-ack-timeout': 'Every wait for an answer has an end, and leaves no timer behind.',
  'F-J-dropped-target': 'A Computer that drops during a call is noticed at once.',
  'F-J-one-version': 'a2c_version is given exactly once.',
  'F-J-quick-authentication': 'Authentication ends before Python peers give up.',
  'F-J-last-argument': 'The acknowledgement is the last argument.',
  'F-J-before-join': 'An event before the join is answered with 4103.',
  'F-J-next-office': 'Nothing learnt in one office shows in the next one.',

  // X. Whatever else a server may do
  'F-X-unstartable': 'A server that cannot be started has a state with a reason, and the others run.',
  'F-X-silent': 'A server that never answers delays nobody and has a state with a reason once its time is up.',
  'F-X-dies': 'A server may die in every state: the state and the calls say so, and the others do not notice.',
  'F-X-huge-line': 'A line of 100 MB does not take memory without bound.',
  'F-X-stderr-flood': '20 MB/s of stderr stop nothing and take no memory without bound.',
  'F-X-many-tools': '10,000 tools are listed and each can be called.',
  'F-X-names': 'Tool names may be anything that JSON can write.',
} as const;
