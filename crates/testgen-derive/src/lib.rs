//! `#[derive(Shape)]`: heaps of Rust values as sequences, field by field.
//!
//! A structure writes its fields in order. An enumeration whose variants have
//! no fields is data, such as a color; any other enumeration writes which
//! variant it is as part of the shape, then the fields of the variant. A field
//! with `#[shape(skip)]` is written for concrete matching alone, and
//! `#[shape(data)]` says that a field is data whatever its type.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Data, DeriveInput, Fields, Ident, parse_macro_input, parse_quote};

/// How a field is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Plain,
    Skip,
    Data,
}

/// Derives `parallax_testgen::Shape`.
#[proc_macro_derive(Shape, attributes(shape))]
pub fn derive_shape(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(input).unwrap_or_else(|error| error.to_compile_error()).into()
}

fn expand(mut input: DeriveInput) -> syn::Result<TokenStream> {
    for parameter in input.generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(::parallax_testgen::Shape));
    }
    let name = &input.ident;
    let (impls, types, wheres) = input.generics.split_for_impl();
    let body = match &input.data {
        Data::Struct(data) => {
            let (pattern, writes) = fields(&data.fields)?;
            quote! { let #name #pattern = self; #writes }
        }
        Data::Enum(data) => {
            let is_data = data.variants.iter().all(|variant| variant.fields.is_empty());
            let mut arms = Vec::new();
            for (number, variant) in data.variants.iter().enumerate() {
                let (pattern, writes) = fields(&variant.fields)?;
                let variant = &variant.ident;
                let number = number as u64;
                let tag = if is_data {
                    quote! { out.data(#number); }
                } else {
                    quote! { out.variant(#number); }
                };
                arms.push(quote! { #name::#variant #pattern => { #tag #writes } });
            }
            quote! { match self { #(#arms)* } }
        }
        Data::Union(_) => {
            let message = "a union has no shape: nothing says which field is valid";
            return Err(syn::Error::new_spanned(name, message));
        }
    };
    Ok(quote! {
        impl #impls ::parallax_testgen::Shape for #name #types #wheres {
            fn write(&self, out: &mut ::parallax_testgen::Writer) { #body }
        }
    })
}

/// A pattern that binds the fields, and what writes them.
fn fields(fields: &Fields) -> syn::Result<(TokenStream, TokenStream)> {
    let mut bound: Vec<Ident> = Vec::new();
    let mut writes = Vec::new();
    let mut names = Vec::new();
    for (number, field) in fields.iter().enumerate() {
        let variable = format_ident!("field_{number}");
        let write = match how(&field.attrs)? {
            How::Plain => quote! { ::parallax_testgen::Shape::write(#variable, out); },
            How::Skip => quote! {
                out.concrete_only(|out| ::parallax_testgen::Shape::write(#variable, out));
            },
            How::Data => quote! {
                out.as_data(|out| ::parallax_testgen::Shape::write(#variable, out));
            },
        };
        writes.push(write);
        names.push(field.ident.clone());
        bound.push(variable);
    }
    let pattern = match fields {
        Fields::Named(_) => {
            let names = names.iter().flatten();
            quote! { { #(#names: #bound),* } }
        }
        Fields::Unnamed(_) => quote! { ( #(#bound),* ) },
        Fields::Unit => quote! {},
    };
    Ok((pattern, quote! { #(#writes)* }))
}

fn how(attributes: &[Attribute]) -> syn::Result<How> {
    let mut how = How::Plain;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("shape")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("skip") {
                how = How::Skip;
                Ok(())
            } else if meta.path.is_ident("data") {
                how = How::Data;
                Ok(())
            } else {
                Err(meta.error("a field is `skip` or `data`"))
            }
        })?;
    }
    Ok(how)
}
