#!/usr/bin/env python3
"""manifest.py FOLDER - writes the two files that an extension for VS Code has beside its own files, FOLDER/extension: what
is in the package (extension.vsixmanifest, by extension/package.json), and the types of its files ([Content_Types].xml)."""
import json
import sys
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

TYPES = {".json": "application/json", ".cjs": "application/octet-stream", ".md": "text/markdown", ".txt": "text/plain",
         ".vsixmanifest": "text/xml"}
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" \
xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
    <DisplayName>{title}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Tags>{tags}</Tags>
    <Categories>{categories}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
{properties}
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/readme.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def manifest(package):
    properties = {"Microsoft.VisualStudio.Code.Engine": package["engines"]["vscode"],
                  "Microsoft.VisualStudio.Code.ExtensionKind": ",".join(package["extensionKind"]),
                  "Microsoft.VisualStudio.Code.ExecutesCode": "true",
                  "Microsoft.VisualStudio.Services.Links.Source": package["repository"]["url"] + ".git",
                  "Microsoft.VisualStudio.Services.GitHubFlavoredMarkdown": "true",
                  "Microsoft.VisualStudio.Services.Content.Pricing": "Free"}
    return MANIFEST.format(name=quoteattr(package["name"]), version=quoteattr(package["version"]), publisher=quoteattr(package["publisher"]),
                           title=escape(package["displayName"]), description=escape(package["description"]),
                           tags=escape(",".join(package["keywords"])), categories=escape(",".join(package["categories"])),
                           properties="\n".join(f"      <Property Id={quoteattr(key)} Value={quoteattr(value)}/>"
                                                for key, value in properties.items()))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    unknown = {path.suffix for path in (folder / "extension").iterdir()} - TYPES.keys()
    if unknown:
        sys.exit(f"manifest: no type is known for {unknown}")
    (folder / "extension.vsixmanifest").write_text(manifest(json.loads((folder / "extension/package.json").read_text())))
    (folder / "[Content_Types].xml").write_text(
        '<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
        "".join(f'<Default Extension="{end}" ContentType="{kind}"/>' for end, kind in TYPES.items()) + "</Types>\n")


main()
