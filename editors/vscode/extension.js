// Starts `parallax lsp` and shows how far it is; everything else is done by the server.
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
const vscode = require("vscode");

let client;

exports.activate = async (context) => {
  const settings = vscode.workspace.getConfiguration("parallax");
  const languages = ["plx", "fsp", "parallax-system", ...(settings.get("checkC") ? ["c"] : [])];
  const item = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  context.subscriptions.push(item);
  client = new LanguageClient(
    "parallax",
    "Parallax",
    { command: settings.get("path"), args: ["lsp"], transport: TransportKind.stdio },
    {
      documentSelector: languages.map((language) => ({ scheme: "file", language })),
      initializationOptions: { arguments: settings.get("arguments") },
    },
  );
  client.onNotification("parallax/status", ({ uri, status }) => {
    if (uri !== vscode.window.activeTextEditor?.document.uri.toString()) return;
    item.text = `parallax: ${status}`;
    item.show();
  });
  await client.start();
};

exports.deactivate = () => client?.stop();
